package dev.toolfleet.worker.fleet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.toolfleet.embedded.EmbeddedKafka;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.app.Worker;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A bad block of a disk in a segment of `tool.call`.
class CorruptRecordIT {
    private static final Duration LONG = Duration.ofMinutes(2);

    @Test
    @DisplayName("X-14: a record that cannot be read holds its partition by name until it is deleted")
    void holdsItsPartitionAndDeletingItLetsThePartitionGoOn(@TempDir Path folder) throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.temporary());
                KafkaFixture fixture = KafkaFixture.on(kafka.bootstrapServers(), "corrupt.");
                TestFleet fleet = new TestFleet(fixture, folder, 2)) {
            String bad = instance(fleet, 0);
            String good = instance(fleet, 1);
            fleet.announceAll(Stream.of(bad, good), "s1");
            fleet.send(TestFleet.call("c0", "t__echo", bad, Map.of("n", 0)));
            fleet.send(TestFleet.call("spoilt", "t__echo", bad, Map.of("n", 1)));
            fleet.send(TestFleet.call("c2", "t__echo", bad, Map.of("n", 2)));
            fleet.send(TestFleet.call("c3", "t__echo", good, Map.of("n", 3)));
            String calls = fleet.topics.name(Topic.CALL);
            spoil(kafka.folder(), calls + "-0", "spoilt");

            Worker worker = Worker.start(TestFleet.config(kafka.bootstrapServers(), fleet.topics.prefix(), folder, "w1",
                    fleet.workerSettings()));
            try {
                assertThat(fleet.results(2)).extracting(ToolResult::toolCallId).containsExactlyInAnyOrder("c0", "c3");
                await().atMost(LONG).until(() -> worker.notReady().stream()
                        .anyMatch(reason -> reason.contains("cannot be read")));

                fixture.admin().deleteRecords(Map.of(new TopicPartition(calls, 0), RecordsToDelete.beforeOffset(2)))
                        .all()
                        .get();

                assertThat(fleet.results(3)).extracting(ToolResult::toolCallId).contains("c2");
                await().atMost(LONG).until(() -> worker.notReady().isEmpty());
                assertThat(fleet.records(Topic.DEAD_LETTER, 1)).hasSize(1);
                assertThat(worker.ended()).isNotDone();
            } finally {
                worker.close();
            }
        }
    }

    private static String instance(TestFleet fleet, int partition) {
        return IntStream.range(0, 100).mapToObj(number -> "i" + number)
                .filter(name -> fleet.partition(name) == partition).findFirst().orElseThrow();
    }

    /// Changes a byte of a record where the broker has its log.
    private static void spoil(Path brokers, String partition, String text) throws IOException {
        List<Path> logs;
        try (Stream<Path> files = Files.walk(brokers)) {
            logs = files.filter(file -> file.toString().endsWith(".log")
                    && file.toString().contains("/" + partition + "/")).toList();
        }
        assertThat(logs).hasSize(1);
        String content = Files.readString(logs.getFirst(), StandardCharsets.ISO_8859_1);
        int at = content.indexOf(text);
        assertThat(at).isPositive();
        try (FileChannel file = FileChannel.open(logs.getFirst(), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[]{'S'}), at);
        }
    }
}
