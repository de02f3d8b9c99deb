package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.app.Worker;
import org.apache.kafka.clients.admin.NewPartitions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A partition is added to `tool.call` under a running worker.
@EmbeddedKafkaTest
class GrownTopicIT {
    @TempDir
    private Path folder;

    @Test
    void newStepsInOldPartitionsAreStillAnsweredAndTheNewPartitionIsHeldByName(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 2).withClient("metadata.max.age.ms", "500")) {
            Worker worker = fleet.worker("w1");
            String topic = fleet.topics.name(Topic.CALL);

            kafka.admin().createPartitions(Map.of(topic, NewPartitions.increaseTo(3))).all().get();

            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(worker.notReady()).singleElement().asString()
                            .contains("partition 2 of " + topic, "created with 2 partitions"));
            List<ToolCall> calls = IntStream.range(0, 6).mapToObj(number -> {
                String instance = "grown-" + number;
                fleet.announce(instance, "s1");
                ToolCall call = TestFleet.call("c", "t__echo", instance, Map.of("n", 1));
                fleet.send(call);
                return call;
            }).toList();
            for (ToolCall call : calls)
                assertThat(fleet.result(call, result -> true).error()).isNull();
            assertThat(worker.notReady()).hasSize(1);
        }
    }
}
