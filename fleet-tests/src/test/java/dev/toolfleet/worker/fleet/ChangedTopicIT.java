package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.app.Worker;
import dev.toolfleet.worker.telemetry.LoadMeters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A change of the topic of calls, or of the group's offsets of it, loses no call and repeats none.
@EmbeddedKafkaTest
class ChangedTopicIT {
    @TempDir
    private Path folder;

    // Otherwise: the results of the old topic's calls count as those of the new one's at the same offsets.
    @Test
    void everyCallOfATopicThatWasMadeAnewIsAnswered(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce("i", "s1");
            Worker first = fleet.worker("w1");
            fleet.sendAll(calls("old", 40, tag));
            fleet.results(40);
            first.close();
            recreate(kafka, fleet);
            fleet.sendAll(calls("new", 60, tag));
            fleet.worker("w2");

            List<ToolResult> results = fleet.results(100);

            assertThat(results.subList(40, 100)).extracting(ToolResult::toolCallId)
                    .containsExactlyInAnyOrderElementsOf(ids("new", 60));
            assertThat(TestTools.probe(tag).started).doesNotHaveDuplicates().hasSize(100);
        }
    }

    @Test
    void everyCallOfATopicThatWasMadeAnewUnderARunningWorkerIsAnswered(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce("i", "s1");
            fleet.worker("w1", registry);
            fleet.sendAll(calls("old", 40, tag));
            fleet.results(40);
            recreate(kafka, fleet);
            fleet.sendAll(calls("new", 60, tag));

            List<ToolResult> results = fleet.results(100);

            assertThat(results).extracting(ToolResult::replayed).containsOnly(false);
            assertThat(TestTools.probe(tag).started).doesNotHaveDuplicates().hasSize(100);
            await().atMost(Duration.ofMinutes(1)).untilAsserted(
                    () -> assertThat(discrepancies(registry, "recreated")).as("it is noticed in the end").isEqualTo(1));
        }
    }

    // Otherwise: calls whose answers are forgotten run again, also those that must not run twice.
    @Test
    void aGroupThatIsSetBackRunsNothingAgainHoweverFewAnswersAreRemembered(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1).with("dedupe.maxEntries", "20")) {
            fleet.announce("i", "s1");
            Worker first = fleet.worker("w1");
            fleet.sendAll(calls("c", 120, tag));
            fleet.results(120);
            first.close();
            TopicPartition partition = new TopicPartition(fleet.topics.name(Topic.CALL), 0);
            kafka.admin().alterConsumerGroupOffsets(fleet.group(), Map.of(partition, new OffsetAndMetadata(0))).all()
                    .get();
            fleet.worker("w2", registry);
            fleet.send(call("after", "t__write", "i", Map.of("tag", tag)));

            List<ToolResult> results = fleet.results(121);

            assertThat(results.getLast().toolCallId()).isEqualTo("after");
            assertThat(TestTools.probe(tag).started).doesNotHaveDuplicates().hasSize(121);
            assertThat(discrepancies(registry, "set-back")).isEqualTo(1);
        }
    }

    @Test
    void aGroupThatIsDeletedRunsNothingAgainHoweverFewAnswersAreRemembered(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1).with("dedupe.maxEntries", "20")) {
            fleet.announce("i", "s1");
            Worker first = fleet.worker("w1");
            fleet.sendAll(calls("c", 120, tag));
            fleet.results(120);
            first.close();
            kafka.admin().deleteConsumerGroups(List.of(fleet.group())).all().get();
            fleet.worker("w2", registry);
            fleet.send(call("after", "t__write", "i", Map.of("tag", tag)));

            List<ToolResult> results = fleet.results(121);

            assertThat(results.getLast().toolCallId()).isEqualTo("after");
            assertThat(TestTools.probe(tag).started).doesNotHaveDuplicates().hasSize(121);
            assertThat(discrepancies(registry, "expired")).isEqualTo(1);
        }
    }

    private static double discrepancies(SimpleMeterRegistry registry, String kind) {
        Counter counter = registry.find(LoadMeters.DISCREPANCIES).tag(LoadMeters.KIND, kind).counter();
        return counter == null ? 0 : counter.count();
    }

    private static List<String> ids(String name, int count) {
        return IntStream.range(0, count).mapToObj(n -> name + n).toList();
    }

    private static List<ToolCall> calls(String name, int count, String tag) {
        return ids(name, count).stream().map(id -> call(id, "t__write", "i", Map.of("tag", tag))).toList();
    }

    /// Deletes the topic of calls and makes it anew. A broker deletes it some time after it said so, and until then takes
    /// records into the old log, where they are lost.
    private static void recreate(KafkaFixture kafka, TestFleet fleet) throws Exception {
        String name = fleet.topics.name(Topic.CALL);
        kafka.admin().deleteTopics(List.of(name)).all().get();
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            NewTopic again = new NewTopic(name, Optional.of(1), Optional.of((short) 1))
                    .configs(Map.of("message.timestamp.type", "LogAppendTime", "max.message.bytes", "1048588",
                            "cleanup.policy", "delete"));
            try {
                kafka.admin().createTopics(List.of(again)).all().get();
                return true;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof TopicExistsException)
                    return false;
                throw e;
            }
        });
        kafka.awaitServed(name, 1);
        TopicPartition partition = new TopicPartition(name, 0);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> kafka.admin().listOffsets(Map.of(partition, OffsetSpec.latest()))
                        .partitionResult(partition)
                        .get().offset() == 0);
    }
}
