package dev.toolfleet.cli.audit;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.client.audit.ChainedProducer;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// `toolfleet audit`, over a log as a fleet writes it and over copies of it that somebody has tampered with.
@EmbeddedKafkaTest
@SuppressWarnings("FutureReturnValueIgnored") // The commit throws what a send failed with, and what is missing is seen.
class AuditCommandIT {
    private final KafkaFixture kafka;
    private final TypedCommands commands = TypedCommands.of(200);
    private final StringWriter out = commands.out();
    private final StringWriter err = commands.err();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    AuditCommandIT(KafkaFixture kafka) {
        this.kafka = kafka;
    }

    private String audit(String fleet) {
        String name = fleet + Topic.AUDIT.baseName();
        kafka.create(name, 2, Topic.AUDIT.config());
        return kafka.topic(name);
    }

    /// A writer with so many records in partition 1, one transaction each, and an aborted one between them.
    private void write(String topic, String source, int records) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", kafka.bootstrapServers());
        config.put("transactional.id", topic + source);
        try (ChainedProducer producer = new ChainedProducer(config, topic, source, true)) {
            producer.initTransactions();
            for (int i = 0; i < records; i++) {
                producer.beginTransaction();
                producer.send(record(topic, "lost"));
                producer.flush();
                producer.abortTransaction();
                producer.beginTransaction();
                producer.send(record(topic, source + i));
                producer.commitTransaction();
            }
        }
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, String value) {
        return new ProducerRecord<>(topic, 1, "k".getBytes(UTF_8), value.getBytes(UTF_8));
    }

    private List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Duration.ofSeconds(20), TopicScan.Gauge.SILENT)) {
            scan.read(scan.beginnings(scan.partitions(topic)), records::add);
        }
        return records;
    }

    private void copy(String topic, List<ConsumerRecord<byte[], byte[]>> records) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(kafka.producerProperties(),
                new ByteArraySerializer(), new ByteArraySerializer())) {
            records.forEach(record -> producer.send(new ProducerRecord<>(topic, record.partition(), record.key(),
                    record.value(), record.headers())));
        }
    }

    @Test
    void aLogThatWasTamperedWithIsNotWhole() {
        String topic = audit("a.");
        write(topic, "/one", 3);
        write(topic, "/two", 2);

        assertThat(run("a.", "audit", "verify")).as(out.toString()).isZero();
        assertThat(out.toString()).contains("partition 0, offsets 0 to 0: 0 writers", "/one#", "1 to 4, ended, whole",
                "1 to 3, ended, whole", "whole: 7 records");
        List<ConsumerRecord<byte[], byte[]>> records = read(topic);
        records.remove(1);
        copy(audit("b."), records);

        assertThat(run("b.", "audit", "verify")).isEqualTo(1);
        assertThat(out.toString()).contains("WRONG missing: partition 1, offset 1, /one#", "NOT WHOLE, 1 findings",
                "1 to 4, ended, NOT WHOLE", "1 to 3, ended, whole");
        assertThat(run("b.", "audit", "verify", "--json")).isEqualTo(1);
        JsonNode json = Json.MAPPER.readTree(out.toString());
        assertThat(json.path("whole").booleanValue()).isFalse();
        assertThat(json.path("findings").path(0).path("kind").asString()).isEqualTo("missing");
        assertThat(run("b.", "audit", "verify", "--until", "1d")).as("nothing was written by then").isZero();
        assertThat(run("b.", "audit", "verify", "--since", "1h", "--until", "2h")).isEqualTo(2);
    }

    @Test
    void aTopicThatWasWrittenAnewIsSeenByHeadsThatWereKept() throws IOException {
        String topic = audit("c.");
        write(topic, "/one", 3);
        assertThat(run("c.", "audit", "head")).as(err.toString()).isZero();
        Path heads = Files.writeString(folder.resolve("heads.json"), out.toString());
        write(topic, "/two", 2);

        assertThat(run("c.", "audit", "verify", "--anchor", heads.toString())).as(out.toString()).isZero();
        assertThat(out.toString()).contains("heads taken earlier: 1 stand as they stood");

        // Somebody with all rights writes a log of their own, whose chains hold.
        String anew = audit("d.");
        write(anew, "/one", 2);
        write(anew, "/two", 2);
        Path moved = Files.writeString(folder.resolve("moved.json"),
                Files.readString(heads).replace(topic, anew));
        assertThat(run("d.", "audit", "verify")).as(out.toString()).isZero();
        assertThat(run("d.", "audit", "verify", "--anchor", moved.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("WRONG anchor", "the head that was taken is gone");
        assertThat(run("d.", "audit", "verify", "--anchor", heads.toString())).as("another topic's").isEqualTo(2);
    }

    private int run(String fleet, String... arguments) {
        return commands
                .with("--bootstrap", kafka.bootstrapServers(), "--set", "topics.prefix=" + kafka.prefix() + fleet)
                .run(arguments);
    }
}
