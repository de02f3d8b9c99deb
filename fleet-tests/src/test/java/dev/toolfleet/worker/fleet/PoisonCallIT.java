package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.app.Worker;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A call that kills the worker that runs it (decision 55).
@EmbeddedKafkaTest
class PoisonCallIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    @Test
    @DisplayName("X-14: a call that kills its workers ends with a result, and the partition moves on")
    void aCallKillsTwoWorkersAndIsNotGivenToAThird(KafkaFixture kafka) throws Exception {
        List<ChildJvm> workers = new ArrayList<>();
        try (TestFleet fleet = new TestFleet(kafka, folder, 2).with("group.sessionTimeout", "6s")) {
            fleet.announce("i", "s1");
            ToolCall poison = call("poison", "effects__halt", "i", Map.of("folder", folder.toString()));
            // Idempotent, and not read-only: each waits for the call before it.
            List<ToolCall> behind = IntStream.range(0, 5).mapToObj(n -> call("c" + n, "t__echo", "i", Map.of("n", n)))
                    .toList();
            for (int i = 1; i <= 3; i++)
                workers.add(WorkerMain.start(fleet, folder, "w" + i));
            for (ChildJvm worker : workers)
                worker.awaitReady(PATIENCE);

            fleet.send(poison);
            fleet.sendAll(behind);

            List<ToolResult> results = fleet.results(1 + behind.size());
            assertThat(results.getFirst().toolCallId()).isEqualTo("poison");
            assertThat(requireNonNull(results.getFirst().error()).code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
            assertThat(results.getFirst().error().message()).contains("Two workers died");
            assertThat(results.subList(1, results.size())).as("what was queued behind it").allSatisfy(
                    result -> assertThat(result.error()).isNull());
            assertThat(EffectTools.effects(folder)).extracting(EffectTools.Effect::process).doesNotHaveDuplicates()
                    .hasSize(2);
            await().atMost(PATIENCE).until(() -> workers.stream().filter(ChildJvm::isAlive).count() == 1);
        } finally {
            workers.forEach(ChildJvm::close);
        }
    }

    // Otherwise: the next owner counts a rolling restart as a death.
    @Test
    void aWorkerThatStopsInOrderIsNoDeath(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            Worker first = fleet.worker("w1");
            first.close();
            fleet.worker("w2");

            List<ConsumerRecord<byte[], byte[]>> owners = new ArrayList<>();
            fleet.first(Topic.JOURNAL, record -> {
                if (new String(record.key(), UTF_8).equals(PartitionOwner.KEY))
                    owners.add(record);
                return owners.size() < 3 ? Optional.empty() : Optional.of(owners);
            });

            assertThat(owners.get(0).value()).isNotNull();
            assertThat(owners.get(1).value()).as("deleted as it stopped").isNull();
            assertThat(owners.get(2).value()).isNotNull();
        }
    }
}
