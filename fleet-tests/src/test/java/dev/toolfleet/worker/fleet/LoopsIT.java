package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.app.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Calls that repeat without a change, from worker to worker.
@EmbeddedKafkaTest
class LoopsIT {
    private static final Map<String, Object> SAME = Map.of("n", 1);

    @TempDir
    private Path folder;

    @Test
    void aLoopIsNoticedAndRefusedAcrossWorkersAndReplaysDoNotCount(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1).with("loops.noticeAfter", "3").with("loops.refuseAfter",
                "5")) {
            fleet.announce("i", "s1");
            fleet.announce("j", "s1");
            Worker first = fleet.worker("w1");
            fleet.sendAll(repeated("i", 0, 3));
            fleet.sendAll(repeated("i", 2, 3));
            fleet.send(call("j0", "t__echo", "j", SAME));
            List<ToolResult> before = fleet.results(5);
            first.close();
            fleet.worker("w2");
            fleet.sendAll(repeated("i", 3, 7));
            fleet.send(call("other", "t__echo", "i", Map.of("n", 2)));

            List<ToolResult> results = fleet.results(10);

            assertThat(before).filteredOn(ToolResult::replayed).singleElement()
                    .satisfies(replay -> assertThat(replay.notice()).contains("3 times in a row"));
            List<ToolResult> counted = results.stream()
                    .filter(result -> result.toolCallId().startsWith("i") && !result.replayed()).toList();
            assertThat(counted).extracting(LoopsIT::outcome).containsExactly("ok", "ok", "ok, noticed", "ok, noticed",
                    "ok, noticed", "E_TOOL_LOOP", "E_TOOL_LOOP");
            assertThat(results).filteredOn(result -> result.toolCallId().equals("j0")
                    || result.toolCallId().equals("other")).extracting(LoopsIT::outcome).containsExactly("ok", "ok");
            assertThat(fleet.<String>first(Topic.ERROR, record -> Optional.of(
                    WireCodec.of(ToolErrorEvent.class).read(record.value()).error().code()))).isEqualTo("E_TOOL_LOOP");
        }
    }

    private static List<ToolCall> repeated(String instance, int from, int to) {
        return IntStream.range(from, to).mapToObj(n -> call(instance + n, "t__echo", instance, SAME)).toList();
    }

    private static String outcome(ToolResult result) {
        return result.status() == ResultStatus.OK
                ? "ok" + (result.notice() == null ? "" : ", noticed")
                : code(result);
    }

    private static String code(ToolResult result) {
        return requireNonNull(result.error()).code();
    }
}
