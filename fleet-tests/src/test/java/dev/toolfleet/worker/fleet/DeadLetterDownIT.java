package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// G4: nothing is dropped while the dead-letter topic is down, and only the partition concerned waits.
@EmbeddedKafkaTest
class DeadLetterDownIT {
    @TempDir
    private Path folder;

    @Test
    void aDeadLetterThatCannotBeWrittenHoldsItsPartitionOnlyAndIsNotLost(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 2)) {
            String well = IntStream.range(0, 100).mapToObj(n -> "i" + n).filter(name -> fleet.partition(name) == 1)
                    .findFirst().orElseThrow();
            fleet.announce(well, "s1");
            fleet.worker("w1");
            String gone = fleet.topics.name(Topic.DEAD_LETTER);
            kafka.admin().deleteTopics(List.of(gone)).all().get();
            // Acknowledged before the broker has done it.
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !kafka.admin().listTopics().names().get().contains(gone));
            fleet.send(Topic.CALL, 0, "i", "no call at all".getBytes(StandardCharsets.UTF_8));
            fleet.sendAll(IntStream.range(0, 50).mapToObj(n -> call("c" + n, "t__write", well, Map.of("tag", "dl")))
                    .toList());

            assertThat(fleet.results(50)).extracting(ToolResult::callOffset).isSorted();

            new FleetTopics(fleet.topics, Map.of("bootstrap.servers", kafka.bootstrapServers()), Duration.ofMinutes(1))
                    .create(OptionalInt.of(2), OptionalInt.of(1));
            assertThat(fleet.records(Topic.DEAD_LETTER, 1)).singleElement()
                    .satisfies(letter -> assertThat(letter.value()).asString().isEqualTo("no call at all"));
        }
    }
}
