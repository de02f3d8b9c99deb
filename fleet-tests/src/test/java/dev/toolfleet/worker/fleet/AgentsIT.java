package dev.toolfleet.worker.fleet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.AgentInstance;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static dev.toolfleet.worker.fleet.AgentBundle.call;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Agents speak to agents through a fleet. One fleet and one runtime; each test has an instance of its own.
@EmbeddedKafkaTest
class AgentsIT {
    private static final WireCodec<AgentEvent> EVENTS = WireCodec.of(AgentEvent.class);
    private static final WireCodec<AgentInstance> INSTANCES = WireCodec.of(AgentInstance.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path folder;
    private static @Nullable TestFleet shared;
    private static @Nullable EchoAgents echo;

    @BeforeAll
    static void start(KafkaFixture kafka) throws InterruptedException {
        TestFleet fleet = AgentBundle.apply(new TestFleet(kafka, folder, 2));
        shared = fleet;
        echo = new EchoAgents(fleet);
        fleet.worker("w1");
    }

    @AfterAll
    static void stop() {
        if (echo != null)
            echo.close();
        if (shared != null)
            shared.close();
    }

    @Test
    void aRequestIsPendingAndEndsWithTheAnswer() {
        ToolCall request = sent(call("c1", "agents__request", "planner", "p1", "target", "reviewer", "input", "hello"));

        ToolResult pending = fleet().result(request, result -> true);
        assertThat(pending.status()).isEqualTo(ResultStatus.PENDING);
        assertThat(requireNonNull(pending.output()).path("correlationId").asString()).isEqualTo(pending.handle());
        JsonNode answer = requireNonNull(ended(request).output());
        assertThat(answer.path("response").asString()).isEqualTo("echo: hello");
        assertThat(answer.path("correlationId").asString()).isEqualTo(pending.handle());
        assertThat(answer.path("target").asString()).isEqualTo("reviewer");
    }

    @Test
    void anAgentsFailureIsTheRequestsFailure() {
        ToolCall request = sent(call("c1", "agents__request", "planner", "p2", "target", "reviewer", "input", "fail"));

        assertThat(error(request)).extracting(ToolError::code, ToolError::message, ToolError::suggestion)
                .containsExactly("E_OUT_OF_WORDS", "no words", "Wait.");
    }

    @Test
    void aSilentAgentEndsTheRequest() {
        ToolCall request = sent(call("c1", "agents__request", "planner", "p3", "target", "reviewer", "input",
                "silence", "timeoutMs", 1_000));

        assertThat(error(request).code()).isEqualTo("E_TOOL_HANDLE_EXPIRED");
    }

    @Test
    void aSignOfLifeKeepsTheRequestOpen() {
        ToolCall request = sent(call("c1", "agents__request", "planner", "p4", "target", "reviewer", "input", "slow",
                "timeoutMs", 12_000));

        assertThat(requireNonNull(ended(request).output()).path("response").asString()).isEqualTo("echo: slow");
    }

    @Test
    void anAsynchronousAnswerArrivesInTheInbox() {
        ToolCall request = sent(call("c1", "agents__request", "planner", "p5", "target", "reviewer", "input", "later",
                "async", true));

        ToolResult result = ended(request);
        assertThat(result.status()).isEqualTo(ResultStatus.OK);
        String correlation = requireNonNull(result.output()).path("correlationId").asString();
        AgentEvent answer = event(event -> event.type() == AgentEvent.Type.DELEGATE_RESULT
                && correlation.equals(event.correlationId()));
        assertThat(answer.to()).isEqualTo(new AgentAddress("planner", "p5"));
        assertThat(answer.from()).isEqualTo(new AgentAddress("reviewer", "p5"));
        assertThat(requireNonNull(answer.payload()).path("response").asString()).isEqualTo("echo: later");
    }

    @Test
    void aMissingTargetACircleAndAStrangerAreRefusedAndNothingIsSent() {
        ToolCall missing = sent(call("c1", "agents__request", "planner", "p6", "target", "nobody", "input", "x"));
        ToolCall stranger = sent(call("c2", "agents__request", "planner", "p6", "target", "loner", "input", "x"));
        ToolCall plain = call("c3", "agents__request", "planner", "p6", "target", "reviewer", "input", "x");
        ToolCall circle = sent(plain.inTurnOf(new AgentEvent("e", AgentEvent.Type.EVENT, null,
                new AgentAddress("planner", "p6"), null, null, null, null, null,
                List.of(new AgentAddress("reviewer", "p6")), null, null, null, null, Instant.now(), null, null)));

        assertThat(error(missing).code()).isEqualTo("E_AGENT_NOT_FOUND");
        assertThat(error(missing).suggestion()).isEqualTo("You may call reviewer.");
        assertThat(error(stranger).code()).isEqualTo("E_AGENT_NOT_CALLABLE");
        assertThat(error(circle).code()).isEqualTo("E_AGENT_CYCLE");
        // In the partition of those that were not sent.
        ended(sent(call("c4", "agents__send", "planner", "p6", "target", "reviewer", "input", "last")));
        AgentEvent first = event(event -> "p6".equals(event.to().instanceKey()));
        assertThat(requireNonNull(first.payload()).path("input").asString()).isEqualTo("last");
    }

    @Test
    void aSpawnedInstanceIsAnnouncedReusedAndWorksInItsFolder() throws Exception {
        JsonNode spawned = output(call("c1", "agents__spawn", "planner", "p7", "target", "reviewer", "instanceKey",
                "helper", "cwd", "desk"));
        assertThat(spawned.path("spawned").booleanValue()).isTrue();
        assertThat(spawned.path("instanceKey").asString()).isEqualTo("p7/helper");

        JsonNode again = output(call("c2", "agents__spawn", "planner", "p7", "target", "reviewer", "instanceKey",
                "helper"));
        assertThat(again.path("spawned").booleanValue()).isFalse();
        assertThat(again.path("cwd")).isEqualTo(spawned.path("cwd"));
        JsonNode list = output(call("c3", "agents__list", "planner", "p7"));
        assertThat(list.path("count").intValue()).isEqualTo(1);

        output(call("c1", "file-system__write", "reviewer", "p7/helper", "path", "note.txt", "content", "written"));
        output(call("c4", "file-system__write", "planner", "p7", "path", "own.txt", "content", "mine"));
        try (Stream<Path> files = Files.walk(folder.resolve("work"))) {
            Path note = files.filter(file -> file.endsWith("note.txt")).findFirst().orElseThrow();
            assertThat(note.resolveSibling("../own.txt").normalize()).hasContent("mine");
            assertThat(note.getParent()).hasFileName("desk");
        }
        AgentInstance announced = fleet().first(Topic.AGENT_INSTANCE,
                record -> Optional.ofNullable(record.value()).map(INSTANCES::read)
                        .filter(instance -> instance.instanceKey().equals("p7/helper")));
        assertThat(announced.owner()).isEqualTo(new AgentAddress("planner", "p7"));
        assertThat(announced.cwd()).isEqualTo(spawned.path("cwd").asString());
        assertThat(event(event -> "p7/helper".equals(event.to().instanceKey())).name()).isEqualTo("agent.spawn");

        ToolCall stranger = sent(call("c1", "agents__send", "planner", "p8", "target", "reviewer", "input", "x",
                "instanceKey", "p7/helper"));
        assertThat(error(stranger).code()).isEqualTo("E_AGENT_NOT_OWNED");
    }

    @Test
    void aHandlerThatWaitsHearsTheAnswer() {
        assertThat(output(call("c1", "asking__ask", "planner", "p9", "input", "one")).path("heard").asString())
                .isEqualTo("echo: one");
        assertThat(output(call("c2", "asking__ask", "planner", "p9", "input", "two")).path("heard").asString())
                .isEqualTo("echo: two");
        assertThat(error(sent(call("c3", "asking__ask", "planner", "p9", "input", "fail"))).code())
                .isEqualTo("E_OUT_OF_WORDS");
    }

    private static JsonNode output(ToolCall call) {
        ToolResult result = ended(sent(call));
        assertThat(result.error()).isNull();
        return requireNonNull(result.output());
    }

    private static ToolCall sent(ToolCall call) {
        fleet().send(call);
        return call;
    }

    private static ToolResult ended(ToolCall call) {
        return fleet().result(call, ToolResult::isFinal);
    }

    private static ToolError error(ToolCall call) {
        return requireNonNull(ended(call).error());
    }

    private static AgentEvent event(Predicate<AgentEvent> wanted) {
        return fleet().first(Topic.AGENT_EVENT, record -> Optional.of(EVENTS.read(record.value())).filter(wanted));
    }

    private static TestFleet fleet() {
        return requireNonNull(shared);
    }
}
