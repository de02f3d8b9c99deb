package dev.toolfleet.cli.label;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.wire.LabelOrder;
import dev.toolfleet.wire.ReceivedLabel;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// `toolfleet labels` over topics as workers write them.
@EmbeddedKafkaTest
class LabelCommandsIT {
    private static final WireCodec<InstanceLabel> LABELS = WireCodec.of(InstanceLabel.class);
    private static final WireCodec<ReceivedLabel> RECEIVED = WireCodec.of(ReceivedLabel.class);
    private static final WireCodec<LabelOrder> ORDERS = WireCodec.of(LabelOrder.class);

    private final TypedCommands commands = TypedCommands.of(240);
    private final StringWriter out = commands.out();
    private final StringWriter err = commands.err();
    private final KafkaFixture kafka;
    private final KafkaProducer<byte[], byte[]> producer;

    LabelCommandsIT(KafkaFixture kafka) {
        this.kafka = kafka;
        producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /// `a` has two labels of its own, `b` got one with a message, and `c` has requested something of `a`.
    @BeforeEach
    void labelledInstances() throws Exception {
        assertThat(run("topics", "create", "--partitions", "3")).as(err.toString()).isZero();
        AddedLabel read = new AddedLabel("untrusted", "web__read", "call_1", 7, "a");
        own(new InstanceLabel("a", 1, 1, read));
        own(new InstanceLabel("a", 2, 2, new AddedLabel("sensitive", "vault__read", "call_2", 9, "a")));
        received(ReceivedLabel.of("b", "a", "evt-1", read));
        received(ReceivedLabel.all("c", "a", "evt-2"));
    }

    @AfterEach
    void close() {
        producer.close();
    }

    @Test
    void ownAndReceivedLabelsAreShownWithTheCallsThatAddedThem() {
        assertThat(run("labels", "show")).as(err.toString()).isZero();
        List<String> rows = out.toString().lines().map(line -> line.strip().replaceAll(" {2,}", " | ")).toList();
        assertThat(rows).hasSize(6).anySatisfy(row -> assertThat(row).startsWith("a | untrusted | ")
                .endsWith(" ago | web__read | call_1"))
                .anySatisfy(row -> assertThat(row).startsWith("a | sensitive | ")
                        .endsWith(" ago | vault__read | call_2"))
                .contains("b | untrusted | web__read | call_1 | a", "c | all of its | a");

        assertThat(run("labels", "show", "b", "--json")).isZero();
        JsonNode one = Json.MAPPER.readTree(out.toString());
        assertThat(one.toString()).isEqualTo("{\"instanceKey\":\"b\",\"label\":\"untrusted\",\"receivedFrom\":\"a\","
                + "\"eventId\":\"evt-1\",\"toolName\":\"web__read\",\"toolCallId\":\"call_1\",\"callOffset\":7,"
                + "\"from\":\"a\"}");
        assertThat(run("labels", "show", "c", "--json")).isZero();
        assertThat(out.toString().strip()).isEqualTo(
                "{\"instanceKey\":\"c\",\"label\":null,\"receivedFrom\":\"a\",\"eventId\":\"evt-2\"}");
    }

    @Test
    void aClearedLabelIsShownNoMoreAndAudited() {
        assertThat(run("labels", "clear", "a", "untrusted", "--reason", "read by ann", "--by", "ann"))
                .as(err.toString()).isZero();
        assertThat(out.toString()).contains("cleared of instance 'a': untrusted");
        assertThat(run("labels", "show", "a", "--json")).isZero();
        assertThat(out.toString()).contains("sensitive").doesNotContain("untrusted");

        assertThat(run("labels", "clear", "b", "--reason", "read by ann")).as(err.toString()).isZero();
        assertThat(run("labels", "clear", "c", "--reason", "read by ann")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("cleared of instance 'c': all that it had from 'a'");
        assertThat(run("labels", "show", "b")).isZero();
        assertThat(out.toString()).contains("instance 'b' has no labels");
        assertThat(run("labels", "show", "c")).isZero();
        assertThat(out.toString()).contains("instance 'c' has no labels");
        assertThat(ends("tool.audit")).containsExactly(3L);
    }

    @Test
    void whatIsNotThereIsNamedWithWhatIsThereAndNothingIsWritten() {
        List<Long> before = written();

        assertThat(run("labels", "show", "unknown")).isZero();
        assertThat(out.toString()).contains("instance 'unknown' has no labels");
        refused(1, "instance 'unknown' has no labels, so nothing was cleared; toolfleet labels show lists those of all",
                "clear", "unknown", "--reason", "r");
        refused(1, "instance 'a' has no label hr-data, so nothing was cleared; it has: sensitive, untrusted. Name"
                + " those, or clear all with toolfleet labels clear a --reason WHY",
                "clear", "a", "untrusted", "hr-data", "--reason", "r");
        refused(1, "instance 'c' has no label untrusted, so nothing was cleared; it has: all that it had from 'a'. Name"
                + " those, or clear all with toolfleet labels clear c", "clear", "c", "untrusted", "--reason", "r");

        assertThat(written()).isEqualTo(before);
    }

    @Test
    void aBadLineIsNamedAndNothingIsWritten() {
        List<Long> before = written();

        refused(2, "'Not A Label' is no label; a label is a name of small letters, digits and hyphens, at most 40",
                "clear", "a", "Not A Label", "--reason", "r");
        refused(2, "Missing required option: '--reason=WHY'", "clear", "a", "untrusted");
        refused(2, "--reason is empty; write in a few words why", "clear", "a", "untrusted", "--reason", " ");
        refused(2, "Missing required parameter: 'INSTANCE'", "clear", "--reason", "r");
        assertThat(commands.with().run("labels")).isEqualTo(2);
        assertThat(err.toString()).contains("toolfleet labels show [INSTANCE], toolfleet labels clear INSTANCE");

        assertThat(written()).isEqualTo(before);
    }

    @Test
    void aFleetThatDoesNotAnswerIsNamed() {
        TypedCommands elsewhere = commands.with("--bootstrap", "localhost:1");
        for (List<String> line : List.of(List.of("labels", "show"),
                List.of("labels", "clear", "a", "--reason", "r"))) {
            assertThat(elsewhere.run(line.toArray(String[]::new))).isEqualTo(1);
            assertThat(err.toString()).contains("no Kafka broker answered at bootstrap.servers=localhost:1",
                    "correct bootstrap.servers");
        }
    }

    /// One that a worker passes over must not hide the labels of all instances.
    @Test
    void anOrderThatCannotBeReadClearsNothing() throws Exception {
        send("tool.operator", "a", ("{\"instanceKey\":\"a\",\"order\":\"" + LabelOrder.CLEAR + "\",\"upTo\":-1}")
                .getBytes(StandardCharsets.UTF_8));
        send("tool.operator", "a", ORDERS.write(
                new LabelOrder("a", LabelOrder.CLEAR, 1, List.of("untrusted"), "ann", "r")));

        assertThat(run("labels", "show", "a", "--json")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("sensitive").doesNotContain("untrusted");
    }

    @Test
    void anEntryThatIsNotedAsClearedIsShownNoMore() throws Exception {
        own(new InstanceLabel("a", 1, 1, new AddedLabel("untrusted", "web__read", "call_1", 7, "a"))
                .clearedAt(Instant.EPOCH));

        assertThat(run("labels", "show", "a", "--json")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("sensitive").doesNotContain("untrusted");
    }

    @Test
    void aTruncatedSessionKeepsItsLabelsUnlessTheyAreClearedToo() {
        assertThat(run("session", "truncate", "--instance", "a", "--agent", "coder")).as(err.toString()).isZero();
        assertThat(run("labels", "show", "a")).isZero();
        assertThat(out.toString()).contains("untrusted", "sensitive");

        assertThat(run("session", "truncate", "--instance", "a", "--agent", "coder", "--clear-labels", "begun anew"))
                .as(err.toString()).isZero();
        assertThat(out.toString()).contains("a/coder: the event is written",
                "cleared of instance 'a': sensitive, untrusted");
        assertThat(run("session", "truncate", "--instance", "a", "--agent", "coder", "--clear-labels", "begun anew"))
                .as(err.toString()).isZero();
        assertThat(out.toString()).contains("instance 'a' has no labels");
        assertThat(ends("tool.audit")).containsExactly(1L);
    }

    private void refused(int code, String message, String... arguments) {
        List<String> line = new ArrayList<>(List.of("labels"));
        line.addAll(List.of(arguments));
        assertThat(run(line.toArray(String[]::new))).as(err.toString()).isEqualTo(code);
        assertThat(err.toString()).contains(message);
    }

    private void own(InstanceLabel label) throws ExecutionException, InterruptedException {
        send("tool.journal", label.key(), LABELS.write(label));
    }

    private void received(ReceivedLabel label) throws ExecutionException, InterruptedException {
        send("agent.label", label.key(), RECEIVED.write(label));
    }

    private void send(String topic, String key, byte[] value) throws ExecutionException, InterruptedException {
        producer.send(new ProducerRecord<>(kafka.topic(topic), key.getBytes(StandardCharsets.UTF_8), value)).get();
    }

    private List<Long> written() {
        return ends("tool.operator", "agent.label", "tool.audit", "tool.journal");
    }

    /// The number of committed records of each topic; markers of transactions are not counted.
    private List<Long> ends(String... topics) {
        List<Long> ends = new ArrayList<>();
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Duration.ofSeconds(10), TopicScan.Gauge.SILENT)) {
            for (String topic : topics) {
                List<String> keys = new ArrayList<>();
                scan.read(kafka.topic(topic), record -> keys.add(topic));
                ends.add((long) keys.size());
            }
        }
        return ends;
    }

    private int run(String... arguments) {
        return commands.with("--bootstrap", kafka.bootstrapServers(), "--set", "topics.prefix=" + kafka.prefix())
                .run(arguments);
    }
}
