package dev.toolfleet.gateway.jwt;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.Curve;
import dev.toolfleet.gateway.jwt.IssuerKeys.Lookup;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class IssuerKeysTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final AtomicInteger fetches = new AtomicInteger();
    private volatile String answer = "{\"keys\":[]}";
    private volatile boolean down;
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private final IssuerKeys keys = new IssuerKeys(URI.create("https://login.example/jwks"), this::fetch, nanos::get);

    private byte[] fetch(URI uri) throws IOException {
        fetches.incrementAndGet();
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        if (down)
            throw new IOException("connection refused");
        return answer.getBytes(StandardCharsets.UTF_8);
    }

    private void publish(String... kids) {
        List<String> all = new ArrayList<>();
        for (String kid : kids)
            all.add(TestIssuer.ec(Curve.P_256, kid).toPublicJWK().toJSONString());
        answer = "{\"keys\":[" + String.join(",", all) + "]}";
    }

    private Lookup find(String kid) {
        return keys.find(new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(kid).build());
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void aKnownKeyCostsNoFetch() {
        publish("a");

        for (int i = 0; i < 100; i++)
            assertThat(find("a")).isInstanceOf(Lookup.Found.class);

        assertThat(fetches).hasValue(1);
    }

    @Test
    void aNewKeyIsFetchedWhenATokenNamesIt() {
        publish("a");
        find("a");
        publish("a", "b");
        pass(IssuerKeys.BETWEEN);

        assertThat(find("b")).isInstanceOf(Lookup.Found.class);
        assertThat(fetches).hasValue(2);
    }

    @Test
    void madeUpKeyIdsCostOneFetchInTenSeconds() {
        publish("a");
        find("a");
        pass(IssuerKeys.BETWEEN);

        assertThat(find("x0")).isInstanceOf(Lookup.Absent.class);
        for (int i = 1; i < 1000; i++) {
            assertThat(find("x" + i)).isInstanceOfSatisfying(Lookup.Later.class,
                    later -> assertThat(later.after()).isPositive().isLessThanOrEqualTo(IssuerKeys.BETWEEN));
        }
        assertThat(find("a")).isInstanceOf(Lookup.Found.class);
        assertThat(fetches).hasValue(2);
    }

    @Test
    void aKeyThatIsPublishedDuringTheFloodIsFoundAfterIt() {
        publish("a");
        find("a");
        publish("a", "b");

        assertThat(find("b")).as("not refused: it may be there").isInstanceOf(Lookup.Later.class);
        pass(IssuerKeys.BETWEEN);
        assertThat(find("b")).isInstanceOf(Lookup.Found.class);
    }

    @Test
    void lookupsAtOnceShareAFetchAndOnlyItsOwnerSaysThatAKeyIsAbsent() throws Exception {
        gate = new CountDownLatch(1);
        publish("a");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Lookup>> good = new ArrayList<>();
            List<Future<Lookup>> bad = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                good.add(threads.submit(() -> find("a")));
                bad.add(threads.submit(() -> find("x")));
            }
            Awaitility.await().until(() -> fetches.get() == 1);
            gate.countDown();
            for (Future<Lookup> each : good)
                assertThat(each.get()).isInstanceOf(Lookup.Found.class);
            int absent = 0;
            for (Future<Lookup> each : bad)
                absent += each.get() instanceof Lookup.Absent ? 1 : 0;
            assertThat(absent).isLessThanOrEqualTo(1);
        }
        assertThat(fetches).hasValue(1);
    }

    @Test
    void keysAreKeptADayWhileTheIssuerIsDown() {
        publish("a");
        find("a");
        down = true;
        pass(IssuerKeys.KEEP.minusSeconds(1));

        assertThat(find("a")).isInstanceOf(Lookup.Found.class);
        Awaitility.await().until(() -> fetches.get() == 2);
        pass(Duration.ofSeconds(20));
        assertThat(find("a")).isInstanceOf(Lookup.Later.class);
        down = false;
        pass(IssuerKeys.BETWEEN);
        assertThat(find("a")).isInstanceOf(Lookup.Found.class);
    }

    @Test
    void keysAreFetchedAgainBesideTheRequestsAndWithdrawnOnesGo() {
        publish("a", "b");
        find("a");
        publish("b");
        pass(IssuerKeys.REFRESH);

        assertThat(find("a")).as("no request waits").isInstanceOf(Lookup.Found.class);
        Awaitility.await().until(() -> !(find("a") instanceof Lookup.Found));
        assertThat(fetches).hasValue(2);
        assertThat(find("b")).isInstanceOf(Lookup.Found.class);
    }

    @Test
    void afterSilenceAWithdrawnKeyIsNotUsed() {
        publish("a", "b");
        find("a");
        publish("b");
        pass(IssuerKeys.STALE);

        assertThat(find("a")).isInstanceOf(Lookup.Absent.class);
        assertThat(find("b")).isInstanceOf(Lookup.Found.class);
        assertThat(fetches).hasValue(2);
    }

    @Test
    void afterSilenceLookupsAtOnceShareTheFetchAndNoneUsesAWithdrawnKey() throws Exception {
        publish("a", "b");
        find("a");
        publish("b");
        pass(IssuerKeys.STALE);
        gate = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Lookup>> withdrawn = new ArrayList<>();
            for (int i = 0; i < 50; i++)
                withdrawn.add(threads.submit(() -> find("a")));
            Awaitility.await().until(() -> fetches.get() == 2);
            gate.countDown();
            for (Future<Lookup> each : withdrawn)
                assertThat(each.get()).isNotInstanceOf(Lookup.Found.class);
        }
        assertThat(fetches).hasValue(2);
    }

    @Test
    void anIssuerThatIsAwayAfterSilenceIsTrustedByItsKnownKeys() {
        publish("a");
        find("a");
        down = true;
        pass(IssuerKeys.STALE);

        assertThat(find("a")).isInstanceOf(Lookup.Found.class);
        assertThat(fetches).hasValue(2);
        assertThat(find("a")).as("none may begin yet").isInstanceOf(Lookup.Found.class);
        assertThat(fetches).hasValue(2);
    }

    @Test
    void whatIsNoKeySetLeavesTheKeys() {
        publish("a");
        find("a");
        for (String wrong : new String[]{"", "{}", "[]", "{\"keys\":7}", "<html>",
                "{\"keys\":[" + "{},".repeat(100) + "{}]}"}) {
            answer = wrong;
            pass(IssuerKeys.BETWEEN);
            assertThat(find("b")).as(wrong).isInstanceOf(Lookup.Later.class);
            assertThat(find("a")).as(wrong).isInstanceOf(Lookup.Found.class);
        }
    }

    @Test
    void keysOfUnknownKindsAndSecretOnesArePassedOver() {
        String good = TestIssuer.ec(Curve.P_256, "a").toPublicJWK().toJSONString();
        answer = "{\"keys\":[{\"kty\":\"AKP\",\"kid\":\"q\"},{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\"},"
                + "{\"kty\":\"oct\",\"k\":\"AAAA\",\"kid\":\"s\"},7,{},"
                + TestIssuer.ec(Curve.P_256, "p").toJSONString()
                + "," + good + "]}";

        assertThat(find("a")).isInstanceOf(Lookup.Found.class);
        assertThat(find("p")).isNotInstanceOf(Lookup.Found.class);
        assertThat(find("s")).isNotInstanceOf(Lookup.Found.class);
    }
}
