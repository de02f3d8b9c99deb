package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static org.assertj.core.api.Assertions.assertThat;

/// Order within an instance, overlap across instances.
@EmbeddedKafkaTest
class OrderIT {
    @TempDir
    private Path folder;

    @Test
    void exclusiveCallsOfAnInstanceRunOneByOneInCallOrderWhileInstancesOverlap(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 4)) {
            List<ToolCall> calls = new ArrayList<>();
            for (int instance = 0; instance < 20; instance++)
                fleet.announce("i" + instance, "s1");
            for (int n = 0; n < 10; n++) {
                for (int instance = 0; instance < 20; instance++) {
                    calls.add(call("c" + n, "t__write", "i" + instance, Map.of("tag", tag, "ms", 5)));
                }
            }
            fleet.sendAll(calls);
            fleet.worker("w1");

            List<ToolResult> results = fleet.results(200);

            assertThat(results).allMatch(result -> result.status() == ResultStatus.OK);
            Map<String, List<String>> byInstance = results.stream()
                    .collect(Collectors.groupingBy(ToolResult::instanceKey,
                            Collectors.mapping(ToolResult::toolCallId, Collectors.toList())));
            assertThat(byInstance).hasSize(20)
                    .allSatisfy((instance, ids) -> assertThat(ids).containsExactly("c0", "c1", "c2",
                            "c3", "c4", "c5", "c6", "c7", "c8", "c9"));
            assertThat(TestTools.probe(tag).mostByInstance.values()).allMatch(most -> most == 1);
            assertThat(TestTools.probe(tag).most.get()).isGreaterThan(1);
        }
    }

    @Test
    void readOnlyCallsOfOneInstanceOverlapAndOthersNever(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce("one", "s1");
            List<ToolCall> calls = new ArrayList<>();
            for (int n = 0; n < 5; n++)
                calls.add(call("r" + n, "t__read", "one", Map.of("tag", tag + "r", "together", 5)));
            for (int n = 0; n < 5; n++)
                calls.add(call("w" + n, "t__write", "one", Map.of("tag", tag + "w", "ms", 5)));
            fleet.sendAll(calls);
            fleet.worker("w1");

            assertThat(fleet.results(10)).hasSize(10);
            assertThat(TestTools.probe(tag + "r").mostByInstance).containsEntry("one", 5);
            assertThat(TestTools.probe(tag + "w").mostByInstance).containsEntry("one", 1);
            assertThat(TestTools.probe(tag + "w").started).containsExactly("w0", "w1", "w2", "w3", "w4");
        }
    }
}
