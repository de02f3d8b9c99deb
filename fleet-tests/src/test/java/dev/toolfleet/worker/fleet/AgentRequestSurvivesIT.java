package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.AgentBundle.call;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// A request between two instances outlives the worker of the one that asked.
@EmbeddedKafkaTest
@Timeout(600)
class AgentRequestSurvivesIT {
    private static final WireCodec<AgentEvent> EVENTS = WireCodec.of(AgentEvent.class);

    @TempDir
    private Path folder;

    @Test
    void theAnswerComesOnceThoughTheRequestersWorkerDied(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = AgentBundle
                .apply(new TestFleet(kafka, folder, 2).with("group.sessionTimeout", "6s"))) {
            ToolCall request = call("c1", "agents__request", "planner", "i", "target", "reviewer", "instanceKey",
                    "elsewhere", "input", "hello", "timeoutMs", 240_000);
            try (ChildJvm doomed = WorkerMain.start(fleet, folder, "doomed")) {
                doomed.awaitReady(Duration.ofMinutes(3));
                fleet.send(request);
                assertThat(fleet.result(request, result -> true).status()).isEqualTo(ResultStatus.PENDING);
                doomed.kill();
                assertThat(doomed.awaitEnd(Duration.ofMinutes(1))).isTrue();
            }

            fleet.worker("heir");
            try (EchoAgents echo = new EchoAgents(fleet)) {
                ToolResult answer = fleet.result(request, ToolResult::isFinal);
                assertThat(requireNonNull(answer.output()).path("response").asString()).isEqualTo("echo: hello");

                ToolCall last = call("c2", "agents__send", "planner", "i", "target", "reviewer", "instanceKey",
                        "elsewhere", "input", "last");
                fleet.send(last);
                assertThat(finals(fleet, request, last)).isEqualTo(1);
                assertThat(delegates(fleet)).isEqualTo(1);
                assertThat(echo.seen).filteredOn(event -> event.type() == AgentEvent.Type.DELEGATE).hasSize(1);
            }
        }
    }

    /// Returns the number of final results of a call before a later call of its instance.
    private static int finals(TestFleet fleet, ToolCall call, ToolCall last) {
        List<ToolResult> found = new ArrayList<>();
        return fleet.first(Topic.RESULT, record -> {
            ToolResult result = TestFleet.result(record);
            if (result.toolCallId().equals(call.id()) && result.isFinal())
                found.add(result);
            return result.toolCallId().equals(last.id()) && result.isFinal()
                    ? Optional.of(found.size())
                    : Optional.empty();
        });
    }

    /// Returns the number of requests to the agent before a later event in the same partition.
    private static int delegates(TestFleet fleet) {
        List<AgentEvent> found = new ArrayList<>();
        return fleet.first(Topic.AGENT_EVENT, record -> {
            AgentEvent event = EVENTS.read(record.value());
            if (event.type() == AgentEvent.Type.DELEGATE)
                found.add(event);
            return event.type() == AgentEvent.Type.EVENT ? Optional.of(found.size()) : Optional.empty();
        });
    }
}
