package dev.toolfleet.worker.fleet;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.json.Json;
import dev.toolfleet.oauth.grant.GrantIds;
import dev.toolfleet.oauth.grant.Order;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.grant.StateToken;
import dev.toolfleet.oauth.seal.KeyRing;
import dev.toolfleet.oauth.testserver.TestAuthorizationServer;
import dev.toolfleet.oauth.view.OrderWriter;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Tools that act for people, with a real broker and an authorization server with faults. No gateway: the test takes the
/// browser back itself.
@EmbeddedKafkaTest
class OAuthIT {
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<AgentEvent> EVENTS = WireCodec.of(AgentEvent.class);
    private static final WireCodec<OAuthGrant> GRANTS = WireCodec.of(OAuthGrant.class);
    private static final String KEY = KeyRing.newEntry("k1");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final TestAuthorizationServer server = new TestAuthorizationServer();
    private final Secrets secrets = new Secrets(KeyRing.parse(KEY, "a test"));

    @BeforeEach
    void key() throws IOException {
        Files.writeString(folder.resolve("oauth.key"), KEY);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void callWaitsForThePersonAndThenRunsOnce(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = fleet(kafka); OrderWriter orders = orders(fleet)) {
            HandMade hand = hand(fleet);
            PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            fleet.worker("w1", metrics);
            ToolCall first = call(fleet, hand, "whoami", "i-ann", "ann");
            PendingCall pending = pending(fleet, first);
            assertThat(pending.kind()).isEqualTo(PendingCall.Kind.AUTHORIZATION);
            JsonNode shown = requireNonNull(fleet.result(first, result -> !result.isFinal()).output());
            assertThat(shown.path("status").asString()).isEqualTo("authorization_required");
            String url = shown.path("authorizationUrl").asString();
            assertThat(url).as("the guard leaves the address whole").contains("state=", "code_challenge=")
                    .doesNotContain("REDACTED");

            back(orders, server.authorize(url, "ann"), "ann");
            assertThat(end(fleet, first).path("sub").asString()).isEqualTo("ann");
            AgentEvent told = fleet.first(Topic.AGENT_EVENT, record -> Optional.of(EVENTS.read(record.value())));
            assertThat(told.name()).isEqualTo("auth.granted");
            assertThat(told.to().instanceKey()).isEqualTo("i-ann");

            ToolCall second = call(fleet, hand, "whoami", "i-ann-2", "ann");
            assertThat(end(fleet, second).path("sub").asString()).as("no second question").isEqualTo("ann");
            ToolCall other = call(fleet, hand, "whoami", "i-bob", "bob");
            String urlOfBob = requireNonNull(pending(fleet, other).output()).path("authorizationUrl").asString();
            back(orders, server.authorize(urlOfBob, "bob"), "bob");
            assertThat(end(fleet, other).path("sub").asString()).as("grants never cross").isEqualTo("bob");

            assertThat(PersonTool.RAN.stream().filter(first.id()::equals)).hasSize(1);
            ToolCall leaking = call(fleet, hand, "leak", "i-leak", "ann");
            assertThat(requireNonNull(fleet.result(leaking, ToolResult::isFinal).error()).message())
                    .contains("[REDACTED");
            assertNoSecretOnAnyTopic(fleet);
            assertThat(metrics.scrape()).doesNotContain(server.secrets());
        }
    }

    @Test
    void handlerMayDecideByItself(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = fleet(kafka)) {
            HandMade hand = hand(fleet);
            fleet.worker("w1");
            JsonNode answer = end(fleet, call(fleet, hand, "look", "i1", "ann"));
            assertThat(answer.path("status").asString()).isEqualTo("authorization_required");
            assertThat(answer.path("authorizationUrl").asString()).startsWith(server.url()).contains("state=")
                    .doesNotContain("REDACTED");
            assertThat(end(fleet, call(fleet, hand, "look", "i2", null)).path("code").asString())
                    .isEqualTo("subjectUnavailable");
        }
    }

    @Test
    void personWhoDeclinesEndsTheCall(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = fleet(kafka); OrderWriter orders = orders(fleet)) {
            HandMade hand = hand(fleet);
            fleet.worker("w1");
            ToolCall call = call(fleet, hand, "whoami", "i1", "ann");
            String url = requireNonNull(pending(fleet, call).output()).path("authorizationUrl").asString();
            back(orders, server.decline(url), "ann");

            ToolResult result = fleet.result(call, ToolResult::isFinal);
            assertThat(requireNonNull(result.error()).code()).isEqualTo("E_TOOL_AUTHORIZATION_DENIED");
            assertThat(requireNonNull(result.error()).message()).contains("No, thanks.");
        }
    }

    @Test
    void callsAtOnceRefreshOnce(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = fleet(kafka); OrderWriter orders = orders(fleet)) {
            HandMade hand = hand(fleet);
            fleet.worker("w1");
            fleet.worker("w2");
            server.lifetime(2);
            ToolCall first = call(fleet, hand, "whoami", "i0", "ann");
            back(orders, server.authorize(requireNonNull(pending(fleet, first).output()).path("authorizationUrl")
                    .asString(), "ann"), "ann");
            Instant end = fleet.first(Topic.OAUTH_GRANT,
                    record -> Optional.ofNullable(GRANTS.read(record.value()).expiresAt()));
            await().until(() -> Instant.now().isAfter(end));
            server.lifetime(3600);
            List<ToolCall> calls = IntStream.range(1, 21)
                    .mapToObj(number -> call(fleet, hand, "whoami", "i" + number, "ann")).toList();

            for (ToolCall call : calls)
                assertThat(end(fleet, call).path("sub").asString()).isEqualTo("ann");
            assertThat(server.requests()).filteredOn("refresh_token"::equals).hasSizeBetween(1, 2);
            assertThat(server.requests().stream().filter("authorization_code"::equals)).hasSize(1);
        }
    }

    // Otherwise: a person who has authorized is asked again, because a worker died meanwhile.
    @Test
    void grantIsSavedAlthoughItsOwnerDies(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = fleet(kafka); OrderWriter orders = orders(fleet)) {
            HandMade hand = hand(fleet);
            try (ChildJvm first = WorkerMain.start(fleet, folder, "w1")) {
                first.awaitReady(Duration.ofMinutes(2));
                ToolCall call = call(fleet, hand, "whoami", "i1", "ann");
                String url = requireNonNull(pending(fleet, call).output()).path("authorizationUrl").asString();
                CountDownLatch held = server.hold();
                back(orders, server.authorize(url, "ann"), "ann");
                await().atMost(Duration.ofMinutes(1)).until(server::isHolding);
                first.kill();
                held.countDown();
                try (ChildJvm second = WorkerMain.start(fleet, folder, "w2")) {
                    second.awaitReady(Duration.ofMinutes(2));
                    assertThat(end(fleet, call).path("sub").asString()).isEqualTo("ann");
                }
                for (String log : List.of("w1.log", "w2.log"))
                    assertThat(Files.readString(folder.resolve(log))).doesNotContain(server.secrets());
            }
        }
    }

    private TestFleet fleet(KafkaFixture kafka) {
        return new TestFleet(kafka, folder, 2).with("oauth.keyFile", folder.resolve("oauth.key").toString())
                .with("oauth.publicUrl", "http://127.0.0.1:1/").with("group.sessionTimeout", "6s");
    }

    private OrderWriter orders(TestFleet fleet) {
        return new OrderWriter(secrets, fleet.topics, "/toolfleet/test",
                Map.of("bootstrap.servers", fleet.kafka().bootstrapServers()));
    }

    private HandMade hand(TestFleet fleet) {
        ObjectNode app = (ObjectNode) Json.MAPPER.readTree("""
                {"apiVersion":"toolfleet.dev/v1","kind":"OAuthApp","metadata":{"name":"chat"},"spec":{
                  "provider":"Chat","flow":"authorizationCode","subjectMode":"user",
                  "client":{"clientId":{"value":"%s"},"clientSecret":{"value":"%s"}},
                  "endpoints":{"authorizationUrl":"%s/auth","tokenUrl":"%s/token","userInfoUrl":"%s/me"},
                  "scopes":["read"],"redirect":{"callbackPath":"/oauth/callback"}}}
                """.formatted(TestAuthorizationServer.CLIENT, TestAuthorizationServer.SECRET, server.url(),
                server.url(), server.url()));
        ObjectNode tool = TestResources.tool("p", PersonTool.class, "whoami", "look", "leak");
        tool.withObject("spec").withObject("config").put("server", server.url());
        tool.withObject("spec").withObject("auth").put("oauthAppRef", "OAuthApp/chat").put("onMissing", "wait");
        TestResources.export(tool, "look").withObject("auth").put("onMissing", "return");
        return new HandMade(fleet).apply(app, tool, TestResources.agent(HandMade.AGENT, "Tool/p"));
    }

    private static ToolCall call(TestFleet fleet, HandMade hand, String export, String instance,
            @Nullable String user) {
        ToolCall call = HandMade.call("c-" + instance, "p__" + export, instance, "s1", 0).forCaller(user, null);
        hand.step(instance, "s1", 0, hand.content(hand.items()));
        fleet.send(call);
        return call;
    }

    private static PendingCall pending(TestFleet fleet, ToolCall call) {
        return fleet.first(Topic.PENDING, record -> record.value() == null
                ? Optional.empty()
                : Optional.of(PENDING.read(record.value())).filter(one -> one.call().id().equals(call.id())));
    }

    private static JsonNode end(TestFleet fleet, ToolCall call) {
        ToolResult result = fleet.result(call, ToolResult::isFinal);
        assertThat(result.error()).isNull();
        return requireNonNull(result.output());
    }

    /// Does what the gateway does with a browser that comes back.
    private void back(OrderWriter orders, URI address, String user) throws InterruptedException {
        Map<String, String> query = TestAuthorizationServer.form(address.getRawQuery());
        StateToken state = StateToken.read(requireNonNull(query.get("state")), secrets.keys()).orElseThrow();
        orders.write(GrantIds.of("acme", "chat", user), new Order.Callback(state.sessionId(), "c-" + user,
                "/oauth/callback", query.get("code"), query.get("error"), query.get("error_description"),
                query.get("iss")));
    }

    private void assertNoSecretOnAnyTopic(TestFleet fleet) {
        for (Topic topic : Topic.values()) {
            List<ConsumerRecord<byte[], byte[]>> all = fleet.all(topic);
            for (ConsumerRecord<byte[], byte[]> record : all) {
                StringBuilder text = new StringBuilder();
                if (record.value() != null)
                    text.append(new String(record.value(), StandardCharsets.UTF_8));
                record.headers().forEach(header -> text.append(new String(header.value(), StandardCharsets.UTF_8)));
                List<String> seen = new ArrayList<>(
                        server.secrets().stream().filter(text.toString()::contains).toList());
                assertThat(seen).as("%s: %s", topic, text).isEmpty();
            }
        }
        assertThat(server.secrets()).isNotEmpty();
    }
}
