package dev.toolfleet.gateway.limits;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import dev.toolfleet.gateway.limits.RequestLedger.Place;
import dev.toolfleet.http.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RequestLedgerTest {
    private final AtomicLong nanos = new AtomicLong();
    private final List<Limit> refused = new ArrayList<>();

    private RequestLedger ledger(int perSecond, int requests, int streams, int allRequests, int allStreams) {
        return new RequestLedger(new LimitConfig(perSecond, requests, streams, allRequests, allStreams,
                allRequests + allStreams, 1024, Duration.ofSeconds(1)), refused::add, nanos::get);
    }

    private void refuses(Runnable step, Limit limit) {
        int before = refused.size();
        assertThatThrownBy(step::run).isInstanceOf(ProblemException.class);
        assertThat(refused.subList(before, refused.size())).containsExactly(limit);
    }

    @Test
    void aPrincipalHasItsRateAndAsManyAtOnce() {
        RequestLedger ledger = ledger(10, 100, 1, 100, 1);
        for (int i = 0; i < 10; i++)
            ledger.enter("a").end();

        refuses(() -> ledger.enter("a"), Limit.RATE);
        ledger.enter("b").end();
        nanos.addAndGet(Duration.ofMillis(100).toNanos());
        ledger.enter("a").end();
        refuses(() -> ledger.enter("a"), Limit.RATE);
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        for (int i = 0; i < 10; i++)
            ledger.enter("a").end();
        refuses(() -> ledger.enter("a"), Limit.RATE);
    }

    @Test
    void requestsAreBoundedByPrincipalAndInAll() {
        RequestLedger ledger = ledger(100, 2, 1, 3, 1);
        Place first = ledger.enter("a");
        ledger.enter("a");

        refuses(() -> ledger.enter("a"), Limit.REQUESTS);
        ledger.enter("b");
        refuses(() -> ledger.enter("b"), Limit.ALL_REQUESTS);
        refuses(() -> ledger.enter(""), Limit.ALL_REQUESTS);
        first.end();
        first.end();
        assertThat(ledger.requests()).isEqualTo(2);
        ledger.enter("a");
        refuses(() -> ledger.enter("b"), Limit.ALL_REQUESTS);
    }

    @Test
    void aStreamNoLongerCountsAsARequest() {
        RequestLedger ledger = ledger(100, 1, 2, 10, 3);
        Place one = ledger.enter("a");
        one.becomeStream();
        ledger.enter("a").becomeStream();
        Place third = ledger.enter("a");

        refuses(third::becomeStream, Limit.STREAMS);
        assertThat(ledger.requests()).isEqualTo(1);
        third.end();
        ledger.enter("b").becomeStream();
        Place full = ledger.enter("b");
        refuses(full::becomeStream, Limit.ALL_STREAMS);
        full.end();
        one.end();
        assertThat(ledger.streams()).isEqualTo(2);
        assertThat(ledger.requests()).isZero();
        assertThatThrownBy(one::becomeStream).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void callersOfThisMachineShareOnlyTheLimitsOfTheGateway() {
        RequestLedger ledger = ledger(1, 1, 1, 5, 5);
        for (int i = 0; i < 5; i++)
            ledger.enter("").becomeStream();

        Place full = ledger.enter("");
        refuses(full::becomeStream, Limit.ALL_STREAMS);
    }

    @Test
    void principalsWithoutRequestsAreForgotten() {
        RequestLedger ledger = ledger(10, 10, 10, 10, 10);
        Place open = ledger.enter("open");
        for (int i = 0; i < 1000; i++)
            ledger.enter("p" + i).end();
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());

        ledger.enter("another").end();

        assertThat(ledger.principals()).isEqualTo(2);
        open.end();
        assertThat(ledger.requests()).isZero();
    }

    @Test
    void countsAreExactUnderManyThreads() throws Exception {
        RequestLedger ledger = ledger(1_000_000, 50, 50, 60, 60);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                String name = "p" + i % 3;
                all.add(threads.submit(() -> {
                    for (int n = 0; n < 200; n++)
                        stay(ledger, name);
                }));
            }
            for (Future<?> each : all)
                each.get();
        }
        assertThat(ledger.requests()).isZero();
        assertThat(ledger.streams()).isZero();
    }

    private static void stay(RequestLedger ledger, String name) {
        Place place;
        try {
            place = ledger.enter(name);
        } catch (ProblemException e) {
            return;
        }
        try {
            assertThat(ledger.requests()).isBetween(0, 60);
            place.becomeStream();
            assertThat(ledger.streams()).isBetween(1, 60);
        } catch (ProblemException e) {
            // It stays a request.
        } finally {
            place.end();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1, 1, 1, 2, 1, 1, requestsPerSecond 0", "1, 0, 1, 1, 1, 2, 1, 1, requests 0",
            "1, 1, 0, 1, 1, 2, 1, 1, streams 0", "1, 1, 1, 0, 1, 2, 1, 1, allRequests 0",
            "1, 1, 1, 1, 0, 2, 1, 1, allStreams 0", "1, 1, 1, 1, 1, 1, 1, 1, connections 1",
            "1, 1, 1, 1, 1, 2, 2000000, 1, maxBody 2000000", "1, 1, 1, 1, 1, 2, 1, 0, slowClient",
            "1, 1, 1, 1, 1, 2, 1, 601000, slowClient"})
    void aWrongSettingIsNamed(int perSecond, int requests, int streams, int allRequests, int allStreams,
            int connections, int maxBody, long slowMillis, String expected) {
        assertThatThrownBy(() -> new LimitConfig(perSecond, requests, streams, allRequests, allStreams, connections,
                maxBody, Duration.ofMillis(slowMillis))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gateway.limits." + expected);
    }
}
