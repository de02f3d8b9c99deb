package dev.toolfleet.cli.letter;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.client.letter.Fate;
import dev.toolfleet.client.letter.LetterAddress;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// `toolfleet dlq` over letters as a fleet writes them; no fleet runs here.
@EmbeddedKafkaTest
class DlqIT {
    private static final List<Topic> TOPICS = List.of(Topic.CALL, Topic.RESULT, Topic.PROGRESS, Topic.STEP,
            Topic.CATALOG_STEP, Topic.CATALOG_CONTENT, Topic.PENDING, Topic.COMPLETION, Topic.CONTROL,
            Topic.DEAD_LETTER, Topic.AUDIT);
    private static final String CALL = "{\"id\":\"c\",\"name\":\"t__x\",\"instanceKey\":\"i\",\"turnId\":\"t\",\"stepId\":\"s\"}";
    private static final String BAD = "no json \u001b]0;owned\u0007";

    @TempDir
    private Path folder = Path.of("");
    private final KafkaFixture kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private final TypedCommands commands = TypedCommands.of(200);
    private final StringWriter out = commands.out();
    private final StringWriter err = commands.err();

    DlqIT(KafkaFixture kafka) {
        this.kafka = kafka;
        for (Topic topic : TOPICS)
            kafka.create(topic.baseName(), topic.group() == Topic.Group.SINGLE ? 1 : 2, topic.config());
        producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @AfterEach
    void close() {
        producer.close();
    }

    @Test
    void lettersAreListedAndShown() throws Exception {
        assertThat(run("dlq", "list")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("no dead letters");
        String bad = letter("malformed: not JSON", "tool.call/1/2", BAD);
        String late = letter("late", "tool.completion/0/5",
                "{\"handle\":\"h\",\"kind\":\"completed\",\"token\":\"t0p\"}");

        assertThat(run("dlq", "list")).isZero();
        assertThat(out.toString()).contains(bad, late, "malformed: not JSON", kafka.topic("tool.call"));
        assertThat(run("dlq", "list", "--reason", "late", "--json")).isZero();
        JsonNode json = Json.MAPPER.readTree(out.toString());
        assertThat(json.path("address").asString()).isEqualTo(late);
        assertThat(json.at("/origin/partition").asString()).isEqualTo("0");
        assertThat(run("dlq", "list", "--topic", "tool.call", "--limit", "1")).isZero();
        assertThat(out.toString()).contains(bad).doesNotContain(late);

        assertThat(run("dlq", "show", bad)).as(err.toString()).isZero();
        assertThat(out.toString()).contains("no json \\u001b]0;owned\\u0007", "traceparent = 00-aa").doesNotContain(
                "\u001b");
        assertThat(run("dlq", "show", late, "--json")).isZero();
        assertThat(out.toString()).contains("[REDACTED]").doesNotContain("t0p");
        assertThat(run("dlq", "show", bad, "--save", folder.resolve("letter").toString())).isZero();
        assertThat(folder.resolve("letter")).hasContent(BAD);
        assertThat(run("dlq", "show", bad, "--save", folder.resolve("letter").toString())).isEqualTo(1);
        assertThat(run("dlq", "show", "1:4711")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no dead letter 1:4711");
        assertThat(run("dlq", "show", "9:0")).isEqualTo(1);
        assertThat(run("dlq", "show", "late")).isEqualTo(2);
    }

    @Test
    void aReplayWritesTheRecordAsItWasToWhereItStoodAndIsMarkedAndAudited() throws Exception {
        String letter = letter("malformed: of an old worker", "tool.call/1/2", CALL);

        assertThat(run("dlq", "replay", letter, "--yes", "--by", "ada", "--note", "Decoder fixed")).as(err.toString())
                .isZero();

        assertThat(out.toString()).contains("replayed 1 dead letter");
        assertThat(err.toString()).contains("may have been told E_CALL_MALFORMED");
        ConsumerRecord<byte[], byte[]> again = read(Topic.CALL).getFirst();
        assertThat(again.partition()).isEqualTo(1);
        assertThat(new String(again.value(), StandardCharsets.UTF_8)).isEqualTo(CALL);
        assertThat(new String(again.key(), StandardCharsets.UTF_8)).isEqualTo("key");
        assertThat(again.headers().toArray()).extracting(header -> header.key()).containsExactly("traceparent");
        List<AuditEvent> events = read(Topic.AUDIT).stream()
                .map(record -> WireCodec.of(AuditEvent.class).read(record.value())).toList();
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(AuditEvent.Kind.OPERATOR);
            assertThat(event.action()).isEqualTo("dlq-replay");
            assertThat(event.by() + ": " + event.reason()).isEqualTo("ada: Decoder fixed");
            assertThat(event.target()).isEqualTo(kafka.topic("tool.dead-letter") + "/" + letter.replace(':', '/'));
        });

        assertThat(run("dlq", "list")).isZero();
        assertThat(out.toString()).contains("no dead letters to see to");
        assertThat(run("dlq", "list", "--all")).isZero();
        assertThat(out.toString()).contains(letter, "replayed", "by ada: Decoder fixed");
        assertThat(run("dlq", "replay", letter, "--yes")).isEqualTo(1);
        assertThat(err.toString()).contains(letter + " was replayed before", "by ada", "--force insists");
        assertThat(read(Topic.CALL)).hasSize(1);
        assertThat(run("dlq", "replay", letter, "--yes", "--force")).isZero();
        assertThat(read(Topic.CALL)).hasSize(2);
    }

    @Test
    void whatIsDiscardedIsNotListedAndNotReplayedByAll() throws Exception {
        String first = letter("malformed: x", "tool.call/1/2", BAD);
        letter("malformed: y", "tool.call/1/1", CALL.replace("\"c\"", "\"c1\""));
        letter("malformed: y", "tool.call/1/0", CALL.replace("\"c\"", "\"c0\""));

        assertThat(run("dlq", "discard", first, "--yes", "--note", "A test")).as(err.toString()).isZero();
        assertThat(run("dlq", "list")).isZero();
        assertThat(out.toString()).doesNotContain("malformed: x").contains("malformed: y");
        assertThat(run("dlq", "show", first)).isZero();
        assertThat(out.toString()).contains("discarded", "A test");
        assertThat(run("dlq", "discard", first, "--yes")).isEqualTo(1);
        assertThat(run("dlq", "replay", "--all", "--reason", "malformed", "--yes")).as(err.toString()).isZero();

        assertThat(out.toString()).contains("replayed 2 dead letters");
        assertThat(read(Topic.CALL).stream().map(record -> new String(record.value(), StandardCharsets.UTF_8)))
                .as("in the order that they had").containsExactly(CALL.replace("\"c\"", "\"c0\""),
                        CALL.replace("\"c\"", "\"c1\""));
        assertThat(run("dlq", "replay", "--all", "--yes")).isZero();
        assertThat(out.toString()).contains("no dead letter was replayed");
    }

    @Test
    void whatWouldBeADeadLetterAgainIsRefusedWithTheReason() throws Exception {
        String late = letter("late", "tool.completion/0/5", "{\"handle\":\"h\",\"kind\":\"completed\"}");
        String bad = letter("malformed: not JSON", "tool.call/1/2", BAD);
        String gone = letter("malformed: x", "tool.call/7/2", CALL);

        assertThat(run("dlq", "replay", late, bad, "0:4711", "--yes")).isEqualTo(1);
        assertThat(err.toString()).contains(late + " cannot be replayed", "no call waits under handle 'h'",
                bad + " cannot be replayed: it would be a dead letter again: not JSON",
                "there is no dead letter 0:4711");
        assertThat(run("dlq", "replay", gone, "--yes")).isEqualTo(1);
        assertThat(err.toString()).contains("came from partition 7 of " + kafka.topic("tool.call"));
        assertThat(read(Topic.CALL)).isEmpty();
        assertThat(run("dlq", "replay", late, "--yes", "--force")).as(err.toString()).isZero();
        assertThat(read(Topic.COMPLETION)).hasSize(1);
    }

    @Test
    void nothingIsDoneUnlessSomebodySaysYes() throws Exception {
        String letter = letter("malformed: x", "tool.call/1/2", CALL);

        assertThat(run("dlq", "replay", letter)).isEqualTo(2);
        assertThat(err.toString()).contains("Replay 1 dead letter?", "--yes");
        assertThat(run("dlq", "discard", "--all")).isEqualTo(2);
        assertThat(run("dlq", "replay")).isEqualTo(2);
        assertThat(err.toString()).contains("which dead letters?", "--all");
        assertThat(run("dlq", "replay", letter, "--all", "--yes")).isEqualTo(2);
        assertThat(run("dlq", "replay", letter, "--reason", "late", "--yes")).isEqualTo(2);
        assertThat(read(Topic.CALL)).isEmpty();
        assertThat(read(Topic.AUDIT)).isEmpty();
    }

    @Test
    void ofTwoPeopleAtOneMomentOneReplaysAndOneWhoDiesInTheMiddleHasDoneNothing() throws Exception {
        String letter = letter("malformed: x", "tool.call/1/2", CALL);
        LetterAddress address = LetterAddress.of(letter);
        ConsumerRecord<byte[], byte[]> record = read(Topic.DEAD_LETTER).getFirst();
        try (LetterTransaction other = new LetterTransaction(Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new Topics(kafka.prefix()))) {
            other.claim();
            other.begin();
            other.replay(record, kafka.topic("tool.call"), 1);
            other.mark(address, new Fate(Fate.Word.REPLAYED, "bob", null, Instant.now()));

            assertThat(run("dlq", "replay", letter, "--yes", "--by", "ada")).as(err.toString()).isZero();

            assertThatThrownBy(other::commit).isInstanceOf(KafkaException.class);
        }
        assertThat(read(Topic.CALL)).hasSize(1);
        assertThat(read(Topic.AUDIT)).hasSize(1);
        assertThat(run("dlq", "list", "--all")).isZero();
        assertThat(out.toString()).contains("by ada").doesNotContain("bob");
    }

    /// @return the letter's address
    private String letter(String reason, String origin, String value) throws Exception {
        Headers headers = KafkaHeaders.of(Map.of("traceparent", "00-aa"));
        Map.of(WireHeaders.REASON, reason, WireHeaders.ORIGIN, kafka.prefix() + origin, WireHeaders.WORKER, "w1",
                WireHeaders.ATTEMPT, "1")
                .forEach((name, text) -> headers.add(name, text.getBytes(StandardCharsets.UTF_8)));
        var written = producer.send(new ProducerRecord<>(kafka.topic("tool.dead-letter"), null,
                "key".getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8), headers)).get();
        return written.partition() + ":" + written.offset();
    }

    private List<ConsumerRecord<byte[], byte[]>> read(Topic topic) {
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Duration.ofSeconds(60), TopicScan.Gauge.SILENT)) {
            scan.read(scan.beginnings(scan.partitions(kafka.topic(topic.baseName()))), found::add);
        }
        return found;
    }

    private int run(String... arguments) {
        return commands.with("--bootstrap", kafka.bootstrapServers(), "--set", "topics.prefix=" + kafka.prefix())
                .run(arguments);
    }
}
