package dev.toolfleet.hosts;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.FutureTask;

import dev.toolfleet.testkit.FakeAgentRuntime;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.TokenAnswer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Answers of the worker to handlers in Node, and its knowledge of their calls.
class NodeServicesIT {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;
    @SuppressWarnings("NullAway.Init")
    private HostFixture bundle;

    @BeforeEach
    void open() {
        bundle = new HostFixture(folder);
    }

    @AfterEach
    void close() {
        bundle.close();
    }

    @Test
    void theServicesOfAgentsAnswerInTheShapesOfTheSeed() throws Exception {
        HostFixture.Loaded tool = bundle.file("t.mjs", """
                export const handlers = { all: async ({ runtime }) => ({
                  request: await runtime.request('writer', { input: 'hi' }),
                  sent: await runtime.send('writer', { input: 'news' }),
                  catalog: await runtime.catalog() }) };
                """).tool("t.mjs", "", "all");
        try (FakeToolContext ctx = FakeToolContext.create()
                .runtime(new FakeAgentRuntime(List.of("writer"), input -> "answer to " + input))) {
            assertThat(tool.call("all", ctx, "{}")).hasToString("{\"request\":{\"eventId\":\"answer-to-event-1\","
                    + "\"target\":\"writer\",\"response\":\"answer to hi\",\"correlationId\":\"request-1\"},"
                    + "\"sent\":{\"eventId\":\"event-2\",\"target\":\"writer\",\"instanceKey\":\"instance-1\","
                    + "\"accepted\":true},\"catalog\":{\"swarmName\":\"swarm-1\",\"entryAgent\":\"agent-1\","
                    + "\"selfAgent\":\"agent-1\",\"availableAgents\":[\"writer\",\"agent-1\"],"
                    + "\"callableAgents\":[\"writer\"]}}");
        }
    }

    @Test
    void tokensComeInTheShapesOfTheSeed() throws Exception {
        HostFixture.Loaded tool = bundle.file("t.mjs", """
                export const handlers = { all: async (ctx) => [
                  await ctx.authorized(), await ctx.authorized({ scopes: ['a', 'b'], minTtlSeconds: 2 }),
                  await ctx.authorized({ scopes: ['none'] })] };
                """).tool("t.mjs", "", "all");
        assertTokens(tool);
    }

    static void assertTokens(HostFixture.Loaded tool) throws Exception {
        tool.authorized((context, minTtl, scopes) -> switch (List.of(scopes).toString()) {
            case "[]" -> new TokenAnswer.Ready("token-1", "bearer", Instant.EPOCH, List.of("a"));
            case "[none]" -> new TokenAnswer.Failed("scopeNotAllowed", "no");
            default -> new TokenAnswer.Required("as-1", "https://x.example", null, Instant.EPOCH, minTtl.toString());
        });
        try (FakeToolContext ctx = FakeToolContext.create()) {
            assertThat(tool.call("all", ctx, "{}")).hasToString("[{\"status\":\"ready\",\"accessToken\":\"token-1\","
                    + "\"tokenType\":\"bearer\",\"expiresAt\":\"1970-01-01T00:00:00Z\",\"scopes\":[\"a\"]},"
                    + "{\"status\":\"authorization_required\",\"message\":\"PT2S\","
                    + "\"authorizationUrl\":\"https://x.example\",\"authSessionId\":\"as-1\","
                    + "\"expiresAt\":\"1970-01-01T00:00:00Z\"},{\"status\":\"error\",\"error\":{"
                    + "\"code\":\"scopeNotAllowed\",\"message\":\"no\"}}]");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"isolation\": \"call\""})
    void theProcessOfACallIsKnown(String spec) throws Exception {
        bundle.file("t.mjs", """
                export const handlers = { wait: (ctx) => new Promise(resolve =>
                  ctx.signal.addEventListener('abort', () => resolve(process.pid))) };
                """);
        HostFixture.Loaded tool = bundle.tool("t.mjs", spec, "wait");
        tool.handlers();
        try (FakeToolContext ctx = FakeToolContext.create()) {
            FutureTask<JsonNode> call = new FutureTask<>(() -> tool.call("wait", ctx, "{}"));
            Thread caller = Thread.ofVirtual().start(call);
            await().until(() -> bundle.hosts().processes().stream().anyMatch(each -> each.inFlight() == 1));

            Hosts.Seat seat = bundle.hosts().seat(each -> each.toolCallId().equals(ctx.toolCallId())).orElseThrow();
            assertThat(seat.host()).isEqualTo(spec.isEmpty() ? "acme (node)" : "acme (t, node)");
            assertThat(bundle.hosts().seat(each -> each.toolCallId().equals("another"))).isEmpty();
            caller.interrupt();
            assertThat(seat.pid()).isEqualTo(call.get().longValue());
        }
    }
}
