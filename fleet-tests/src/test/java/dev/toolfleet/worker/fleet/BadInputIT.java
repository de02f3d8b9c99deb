package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Whatever is wrong with a call or its tool, the caller hears of it and the partition moves on (G4, G5, G6).
@EmbeddedKafkaTest
class BadInputIT {
    @TempDir
    private Path folder;

    @Test
    void everyBadCallHasItsResultAndThePartitionMovesOn(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce("i", "s1");
            fleet.announce("late", "s1");
            Map<String, String> expected = new HashMap<>();
            for (var how : Map.of("exception", "E_TOOL", "error", "E_TOOL", "known", "E_DISK", "notJson",
                    "E_TOOL_RESULT_INVALID", "sleep", "E_TOOL_TIMEOUT").entrySet()) {
                String tool = how.getKey().equals("sleep") ? "t__late" : "t__fail";
                fleet.send(call(how.getKey(), tool, "i", Map.of("how", how.getKey())));
                expected.put(how.getKey(), how.getValue());
            }
            fleet.send(call("null", "t__fail", "i", Map.of("how", "null")));
            fleet.send(call("huge", "t__fail", "i", Map.of("how", "huge")));
            fleet.send(call("unknown", "t__nothing", "i", Map.of()));
            expected.put("unknown", "E_TOOL_NOT_IN_CATALOG");
            fleet.send(call("args", "t__echo", "i", Map.of("n", "one")));
            expected.put("args", "E_TOOL_INVALID_ARGS");
            fleet.send(call("step", "t__echo", "unannounced", Map.of("n", 1)));
            expected.put("step", "E_TOOL_NOT_IN_CATALOG");
            fleet.send(call("stubborn", "t__late", "late", Map.of("how", "stubborn")));
            expected.put("stubborn", "E_TOOL_TIMEOUT");
            fleet.send(call("after", "t__echo", "late", Map.of("n", 1)));
            raw(fleet, "{\"id\":\"nameless\",\"instanceKey\":\"i\"}");
            expected.put("nameless", "E_CALL_MALFORMED");
            raw(fleet, "no json");
            raw(fleet, "{\"id\":\"long\",\"name\":\"t__echo\",\"instanceKey\":\"" + "k".repeat(10_000) + "\"}");
            expected.put("long", "E_CALL_MALFORMED");
            fleet.worker("w1");

            Map<String, ToolResult> results = new HashMap<>();
            fleet.results(expected.size() + 3).forEach(result -> results.put(result.toolCallId(), result));

            expected.forEach((id, code) -> assertThat(requireNonNull(results.get(id)).error()).as(id)
                    .satisfies(error -> assertThat(requireNonNull(error).code()).isEqualTo(code)));
            assertThat(requireNonNull(results.get("null")).status()).isEqualTo(ResultStatus.OK);
            assertThat(requireNonNull(requireNonNull(results.get("huge")).guard()).truncated()).isTrue();
            assertThat(requireNonNull(results.get("after")).status()).isEqualTo(ResultStatus.OK);
            assertThat(requireNonNull(requireNonNull(results.get("known")).error()).suggestion())
                    .isEqualTo("delete something");
            TestTools.probe("stubborn").gate.countDown();

            List<ConsumerRecord<byte[], byte[]>> dead = fleet.records(Topic.DEAD_LETTER, 3);
            assertThat(dead.stream().map(record -> new String(record.value(), StandardCharsets.UTF_8)))
                    .contains("no json");
            assertThat(dead)
                    .allSatisfy(record -> assertThat(record.headers().lastHeader(WireHeaders.REASON)).isNotNull());
            List<ToolErrorEvent> events = fleet.records(Topic.ERROR, expected.size()).stream()
                    .map(record -> WireCodec.of(ToolErrorEvent.class).read(record.value())).toList();
            assertThat(events.stream().map(ToolErrorEvent::toolCallId))
                    .containsExactlyInAnyOrderElementsOf(expected.keySet());
        }
    }

    @Test
    void instanceKeyThatLooksLikeAPathStaysInTheWorkspace(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce("../..", "s1");
            fleet.send(call("c", "t__odd", "../..", Map.of()));
            fleet.worker("w1");

            ToolResult result = fleet.results(1).getFirst();

            Path workdir = Path.of(requireNonNull(result.output()).path("workdir").asString());
            assertThat(workdir.toRealPath()).startsWith(folder.resolve("work").toRealPath());
            assertThat(workdir.getParent()).isEqualTo(folder.resolve("work"));
        }
    }

    private static void raw(TestFleet fleet, String value) {
        fleet.send(Topic.CALL, 0, "i", value.getBytes(StandardCharsets.UTF_8));
    }
}
