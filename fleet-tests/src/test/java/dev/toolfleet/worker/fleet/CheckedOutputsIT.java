package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.app.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.StringNode;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Outputs of exports that declare `validateOutput`, from the handler or from a completion to the result.
@EmbeddedKafkaTest
class CheckedOutputsIT {
    private static final WireCodec<Completion> COMPLETIONS = WireCodec.of(Completion.class);

    @TempDir
    private Path folder;

    @Test
    void anOutputThatBreaksItsSchemaIsAnErrorAlsoWhenItIsRepeatedByTheNextWorker(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce("i", "s1");
            ToolCall fits = call("c1", "sure__echo", "i", Map.of("n", 9));
            ToolCall breaks = call("c2", "sure__echo", "i", Map.of("n", 10));
            Worker worker = fleet.worker("w1");
            fleet.sendAll(List.of(fits, breaks));
            fleet.results(2);
            worker.close();
            fleet.worker("w2");
            fleet.sendAll(List.of(breaks, fits));

            List<ToolResult> results = fleet.results(4);

            assertThat(results).extracting(ToolResult::status).containsExactly(ResultStatus.OK, ResultStatus.ERROR,
                    ResultStatus.ERROR, ResultStatus.OK);
            assertThat(results).extracting(ToolResult::replayed).containsExactly(false, false, true, true);
            assertThat(requireNonNull(results.get(1).error()).code()).isEqualTo("E_TOOL_RESULT_INVALID");
            assertThat(requireNonNull(results.get(1).error()).message()).contains("'sure__echo'", "output.n: ");
            assertThat(results.get(1).output()).isNull();
            assertThat(results.get(2).error()).isEqualTo(results.get(1).error());
        }
    }

    @Test
    void aCompletionThatBreaksTheSchemaEndsItsCallOnceAndALaterOneIsADeadLetter(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce("i", "s1");
            ToolCall fits = call("c1", "sure__pend", "i", Map.of("handle", "h-fits"));
            ToolCall breaks = call("c2", "sure__pend", "i", Map.of("handle", "h-breaks"));
            Worker worker = fleet.worker("w1");
            fleet.sendAll(List.of(fits, breaks));
            fleet.results(2);
            complete(fleet, "h-fits", "built");
            complete(fleet, "h-breaks", "perhaps");
            complete(fleet, "h-breaks", "built");

            assertThat(fleet.result(fits, ToolResult::isFinal).output()).isEqualTo(StringNode.valueOf("built"));
            ToolResult broken = fleet.result(breaks, ToolResult::isFinal);
            assertThat(requireNonNull(broken.error()).code()).isEqualTo("E_TOOL_RESULT_INVALID");
            assertThat(broken.handle()).isEqualTo("h-breaks");
            assertThat(fleet.<String>first(Topic.DEAD_LETTER, record -> Optional.of(
                    new String(record.key(), StandardCharsets.UTF_8)))).as("the second completion")
                    .isEqualTo("h-breaks");

            worker.close();
            fleet.worker("w2");
            fleet.send(breaks);
            ToolResult repeated = fleet.result(breaks, ToolResult::replayed);
            assertThat(repeated.error()).isEqualTo(broken.error());
            assertThat(fleet.results(5)).filteredOn(result -> result.toolCallId().equals("c2"))
                    .filteredOn(result -> result.isFinal() && !result.replayed()).hasSize(1);
        }
    }

    private static void complete(TestFleet fleet, String handle, String output) {
        fleet.send(Topic.COMPLETION, 0, handle,
                COMPLETIONS.write(Completion.completed(handle, StringNode.valueOf(output), null)));
    }
}
