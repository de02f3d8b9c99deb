package dev.toolfleet.oauth.owner;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.oauth.grant.Apps;
import dev.toolfleet.oauth.grant.GrantIds;
import dev.toolfleet.oauth.grant.GrantRules;
import dev.toolfleet.oauth.grant.OAuthApps;
import dev.toolfleet.oauth.grant.Order;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.grant.ServerReply;
import dev.toolfleet.oauth.grant.ServerRequest;
import dev.toolfleet.oauth.seal.KeyRing;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthOrder;
import dev.toolfleet.wire.OAuthSession;
import dev.toolfleet.wire.OAuthSession.Status;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// The owner's topology in the test driver: no record, no state and no answer ends its thread.
class OwnerTopologyTest {
    private static final Topics TOPICS = new Topics("acme.");
    private static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    private static final KeyRing OLD = KeyRing.parse(KeyRing.newEntry("old"), "a test");
    private static final WireCodec<OAuthOrder> ORDERS = WireCodec.of(OAuthOrder.class);
    private static final WireCodec<OAuthSession> SESSIONS = WireCodec.of(OAuthSession.class);
    private static final WireCodec<OAuthGrant> GRANTS = WireCodec.of(OAuthGrant.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final Map<ServerRequest.Kind, ServerReply> replies = new ConcurrentHashMap<>();
    private final AtomicReference<Secrets> keys = new AtomicReference<>(new Secrets(Apps.KEYS));
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-28T12:00:00Z"));
    private final Map<String, OAuthSession> sessions = new ConcurrentHashMap<>();
    private final Map<String, OAuthGrant> grants = new ConcurrentHashMap<>();
    private OAuthAppSpec app = Apps.app("https://chat.example", "authorizationCode", "user", "");
    @SuppressWarnings("NullAway.Init")
    private TopologyTestDriver driver;

    @BeforeEach
    void start() {
        start(new Secrets(Apps.KEYS));
    }

    private void start(Secrets secrets) {
        keys.set(secrets);
        OAuthApps apps = (bundle, name) -> Apps.having(app).find(bundle, name);
        driver = new TopologyTestDriver(OwnerTopology.of(TOPICS, new GrantRules(secrets, apps, Apps.PUBLIC_URL),
                secrets, request -> requireNonNull(replies.get(request.kind())), new RequestRoom(),
                now::get),
                new StreamsSettings("owner", folder, 1, Map.of("bootstrap.servers", "none:1")).properties(),
                now.get());
    }

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    void orderThatBreaksARuleBecomesADeadLetter() {
        OAuthAppSpec good = app;
        app = new OAuthAppSpec(good.name(), good.provider(), good.flow(), good.subjectMode(), good.clientId(),
                good.clientSecret(), good.endpoints(), good.scopes(), Optional.of("/oauth/{app}"), good.options());
        order("ann", authorize("as-1", "ann"));
        assertThat(deadLetters()).isEqualTo(1);

        app = good;
        order("ann", authorize("as-2", "ann"));
        assertThat(session("as-2").authorizationUrl()).isNotNull();
    }

    @Test
    void authorizationReplacesAGrantOfALostKey() {
        driver.close();
        start(new Secrets(OLD));
        replies.put(ServerRequest.Kind.EXCHANGE, tokens("access-1", "refresh-1"));
        complete("as-1");
        byte[] state = requireNonNull(store(GrantStores.GRANTS).get(id("ann")));
        driver.close();
        start(new Secrets(Apps.KEYS));
        store(GrantStores.GRANTS).put(id("ann"), state);
        replies.put(ServerRequest.Kind.EXCHANGE, tokens("access-2", null));
        complete("as-2");

        OAuthGrant grant = requireNonNull(grants.get(id("ann")));
        assertThat(grant.version()).isEqualTo(2);
        assertThat(grant.refreshable()).as("the old refresh token cannot be opened").isFalse();
    }

    @Test
    void deviceAnswerForALostKeyFailsItsAuthorization() {
        app = Apps.app("https://chat.example", "deviceCode", "user", "");
        driver.close();
        start(new Secrets(OLD));
        order("ann", authorize("as-1", "ann"));
        byte[] state = requireNonNull(store(GrantStores.GRANTS).get(id("ann")));
        String due = store(GrantStores.DUE).all().next().key;
        driver.close();
        start(new Secrets(Apps.KEYS));
        store(GrantStores.GRANTS).put(id("ann"), state);
        store(GrantStores.DUE).put(due, new byte[0]);
        replies.put(ServerRequest.Kind.DEVICE_BEGIN,
                new ServerReply.DeviceCode("d", "USER", "https://chat.example/enter", 600, 1));
        replies.put(ServerRequest.Kind.DEVICE_POLL, tokens("access-1", null));

        await().until(() -> {
            look(Duration.ofSeconds(1));
            return session("as-1").status() == Status.FAILED;
        });
        assertThat(session("as-1").error()).isEqualTo("unavailable");
        order("bob", authorize("as-2", "bob"));
        look(Duration.ofSeconds(1));
        assertThat(session("as-2").status()).isEqualTo(Status.PENDING);
    }

    @Test
    void stateOfAnotherVersionWaitsAlone() {
        order("ann", authorize("as-1", "ann"));
        byte[] state = requireNonNull(store(GrantStores.GRANTS).get(id("ann")));
        store(GrantStores.GRANTS).put(id("ann"),
                new String(state, StandardCharsets.UTF_8).replace("\"pending\"", "\"postponed\"")
                        .getBytes(StandardCharsets.UTF_8));
        order("bob", authorize("as-2", "bob"));
        look(Duration.ofMinutes(11));
        assertThat(session("as-2").status()).isEqualTo(Status.EXPIRED);
        assertThat(session("as-1").status()).isEqualTo(Status.PENDING);

        store(GrantStores.GRANTS).put(id("ann"), state);
        look(Duration.ofSeconds(1));
        assertThat(session("as-1").status()).as("it is tried again after a pause").isEqualTo(Status.PENDING);
        look(Duration.ofMinutes(2));
        assertThat(session("as-1").status()).isEqualTo(Status.EXPIRED);
    }

    private void complete(String sessionId) {
        order("ann", authorize(sessionId, "ann"));
        order("ann", new Order.Callback(sessionId, "c-" + sessionId, null, "code", null, null, null));
        await().until(() -> {
            look(Duration.ofSeconds(1));
            return session(sessionId).status() == Status.COMPLETED;
        });
    }

    private static ServerReply tokens(String access, @Nullable String refresh) {
        return new ServerReply.Tokens(access, "Bearer", 3600L, refresh, List.of("read"), null);
    }

    private static Order authorize(String sessionId, String user) {
        return new Order.Authorize(sessionId, "acme", "chat", user, List.of("read"), VERIFIER, "00ff", null, "i",
                "coder");
    }

    private static String id(String user) {
        return GrantIds.of("acme", "chat", user);
    }

    private void order(String user, Order order) {
        driver.createInputTopic(TOPICS.name(Topic.OAUTH_ORDER), new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(id(user).getBytes(StandardCharsets.UTF_8),
                        ORDERS.write(new OAuthOrder(id(user), keys.get().seal(id(user), order))));
        look(Duration.ofMillis(100));
    }

    private void look(Duration later) {
        now.updateAndGet(at -> at.plus(later));
        driver.advanceWallClockTime(later);
        for (TestRecord<byte[], byte[]> record : read(Topic.OAUTH_SESSION)) {
            if (record.value() != null)
                sessions.put(new String(record.key(), StandardCharsets.UTF_8), SESSIONS.read(record.value()));
        }
        for (TestRecord<byte[], byte[]> record : read(Topic.OAUTH_GRANT))
            grants.put(new String(record.key(), StandardCharsets.UTF_8), GRANTS.read(record.value()));
    }

    private List<TestRecord<byte[], byte[]>> read(Topic topic) {
        return driver.createOutputTopic(TOPICS.name(topic), new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecordsToList();
    }

    private int deadLetters() {
        return read(Topic.DEAD_LETTER).size();
    }

    private OAuthSession session(String sessionId) {
        return requireNonNull(sessions.get(sessionId), sessionId);
    }

    private KeyValueStore<String, byte[]> store(String name) {
        return driver.getKeyValueStore(name);
    }
}
