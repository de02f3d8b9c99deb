package dev.toolfleet.cli.approval;

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
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.AuditedCall;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The commands for approvals, over records as a fleet writes them, and a fleet that the test plays.
@EmbeddedKafkaTest
class ApprovalCommandsIT {
    private static final List<Topic> TOPICS = List.of(Topic.RESULT, Topic.PROGRESS, Topic.PENDING, Topic.DECISION,
            Topic.AUDIT);

    private final KafkaFixture kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private final TypedCommands commands = TypedCommands.of(200);
    private final StringWriter out = commands.out();
    private final StringWriter err = commands.err();

    ApprovalCommandsIT(KafkaFixture kafka) {
        this.kafka = kafka;
        for (Topic topic : TOPICS)
            kafka.create(topic.baseName(), 2, topic.config());
        producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @AfterEach
    void close() {
        producer.close();
    }

    @Test
    void approvalsShowsWhatIsOpenAndAllThatWouldRun() throws Exception {
        assertThat(run("approvals")).as(err.toString()).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("no call waits for approval");
        pending(Approved.waiting("alpha-1", Approved.call("c7", "telegram:1"), 7, Instant.now()));
        pending(Approved.waiting("beta-2", Approved.call("c8", "telegram:2"), 8, Instant.now()));
        work("build-1");
        pending(Approved.waiting("gone-3", Approved.call("c9", "telegram:3"), 9, Instant.now()));
        write(Topic.PENDING, null, "gone-3", null);

        assertThat(run("approvals")).isZero();
        assertThat(out.toString()).contains("alpha-1", "beta-2", "market__sell", "A person looks at sales first.",
                "symbol=ACME", "apiKey=sk-12345678").doesNotContain("build-1").doesNotContain("gone-3");
        assertThat(run("approvals", "--instance", "telegram:2", "--json")).isZero();
        var json = Json.MAPPER.readTree(out.toString());
        assertThat(json.path("handle").stringValue()).isEqualTo("beta-2");
        assertThat(json.path("rules").size()).isEqualTo(2);
        assertThat(json.path("arguments").path("apiKey").stringValue()).isEqualTo("sk-12345678");
        assertThat(json.path("hidden").intValue()).isZero();
        assertThat(run("approvals", "c7")).isZero();
        assertThat(out.toString()).contains("alpha-1", "finance-safety/isTransactional", "sk-12345678");
        assertThat(run("approvals", "alph")).isZero();
        assertThat(out.toString()).contains("alpha-1");
        assertThat(run("approvals", "alp")).as("too short to be a beginning").isEqualTo(1);
    }

    @Test
    void withAllTheDecisionsOfTheDayAreShownToo() throws Exception {
        event("h-1", "rejected", "ben", "not today");

        assertThat(run("approvals", "--all")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("no call waits for approval", "h-1", "rejected", "ben", "not today");
        assertThat(run("approvals", "--all", "--instance", "another")).isZero();
        assertThat(out.toString()).contains("nothing was decided within a day for instance 'another'");
        assertThat(run("approvals", "h-1", "--all")).isEqualTo(2);
    }

    @Test
    void whatIsNotOpenIsNotDecidedAndSaysWhatItIs() throws Exception {
        work("build-1");
        pending(Approved.waiting("gone-3", Approved.call("c9", "telegram:3"), 9, Instant.now()));
        write(Topic.PENDING, null, "gone-3", null);
        pending(Approved.waiting("over-4", Approved.call("c4", "i"), 4, Instant.now().minusSeconds(600)));
        pending(Approved.waiting("open-5", Approved.call("c5", "i"), 5, Instant.now(), null, null));
        pending(Approved.waiting("twin-1", Approved.call("call_0", "i"), 10, Instant.now()));
        pending(Approved.waiting("twin-2", Approved.call("call_0", "j"), 11, Instant.now()));

        assertThat(run("approve", "nothing")).isEqualTo(1);
        assertThat(err.toString()).contains("no approval is open under 'nothing'").contains("toolfleet approvals");
        assertThat(run("approve", "build-1")).isEqualTo(1);
        assertThat(err.toString()).contains("waits for work, not for a person").contains("toolfleet handles build-1");
        assertThat(run("reject", "gone-3", "--reason", "no")).isEqualTo(1);
        assertThat(err.toString()).contains("handle 'gone-3' has ended").contains("market__sell (c9");
        assertThat(run("approve", "over-4")).isEqualTo(1);
        assertThat(err.toString()).contains("expired 5 min ago; nothing was sent");
        assertThat(run("approve", "open-5")).isEqualTo(1);
        assertThat(err.toString()).contains("does not say which arguments").contains("toolfleet reject");
        assertThat(run("approve", "call_0")).isEqualTo(2);
        assertThat(err.toString()).contains("twin-1", "twin-2", "2 open approvals match 'call_0'");
        assertThat(run("reject", "twin-1")).as("a rejection says why").isEqualTo(2);
        assertThat(run("approve", "twin-1", "--reason", "r".repeat(2_000))).isEqualTo(2);
        assertThat(err.toString()).contains("'reason' has 2000 characters");
        assertThat(decisions()).isEmpty();
    }

    @Test
    void anApprovalIsSentAndItsEffectAwaited() throws Exception {
        ToolCall call = Approved.call("c7", "telegram:1");
        pending(Approved.waiting("alpha-1", call, 7, Instant.now()));

        assertThat(run("approve", "alpha-1", "--by", "ann", "--timeout", "300ms")).as("no fleet runs here")
                .isEqualTo(1);
        assertThat(err.toString()).contains("no worker has taken note of it within 300 ms");
        Thread fleet = fleet(2, () -> {
            event("alpha-1", "approved", "ann", null);
            result(call, ResultStatus.OK);
        });
        assertThat(run("approve", "c7", "--instance", "telegram:1", "--by", "ann", "--reason", "fine", "--wait"))
                .as(err.toString()).isZero();
        fleet.join();

        assertThat(out.toString()).contains("approved market__sell (c7, instance telegram:1)", "symbol=ACME",
                "market__sell (c7, instance telegram:1) ended: ok");
        assertThat(decisions()).containsExactly(Decision.approve("alpha-1", "ann", null),
                Decision.approve("alpha-1", "ann", "fine"));
    }

    @Test
    void whatIsNotShownWholeIsApprovedOnlyDespiteThat() throws Exception {
        pending(Approved.waiting("hides-1", Approved.call("c7", "i"), 7, Instant.now()).hiding(1));
        pending(Approved.waiting("older-2", Approved.call("c8", "i"), 8, Instant.now()).hiding(null));

        assertThat(run("approvals", "hides-1")).isZero();
        assertThat(out.toString()).contains("1 place of what would run is hidden", "--despite-hidden");
        assertThat(run("approve", "hides-1")).isEqualTo(1);
        assertThat(err.toString()).contains("1 place of what would run is hidden", "nothing was sent",
                "toolfleet approvals hides-1", "--despite-hidden");
        assertThat(run("approve", "older-2")).isEqualTo(1);
        assertThat(err.toString()).contains("does not say whether all of what would run is shown");
        assertThat(decisions()).isEmpty();
        assertThat(run("approve", "hides-1", "--by", "ann", "--despite-hidden", "--timeout", "300ms")).isEqualTo(1);
        assertThat(decisions()).containsExactly(Decision.approve("hides-1", "ann", null).evenIfHidden());
    }

    @Test
    void oneOfTwoIsToldThatAnotherMustApprove() throws Exception {
        Approval two = new Approval("r", List.of("r"), "why", "sha256:aa", null, 0, null, 2, "eve", null);
        pending(Approved.waiting("alpha-1", Approved.call("c7", "i"), 7, Instant.now(), two, "{\"arguments\": {}}"));

        assertThat(run("approve", "alpha-1", "--by", "eve")).isEqualTo(1);
        assertThat(err.toString()).contains("made for 'eve'", "another person", "nothing was sent");
        Thread fleet = fleet(1, () -> {
            counted("alpha-1", "ben", 1);
            counted("alpha-1", "ann", 2);
        });
        assertThat(run("approve", "alpha-1", "--by", "ann")).as(err.toString()).isZero();
        fleet.join();

        assertThat(out.toString()).contains("counted: 2 of 3 people have approved market__sell",
                "waits for another person");
    }

    private void counted(String handle, String by, int approvals) throws InterruptedException, ExecutionException {
        write(Topic.AUDIT, null, "telegram:1", WireCodec.of(AuditEvent.class).write(new AuditEvent(
                AuditEvent.Kind.DECISION, "approval-counted", by, null, null, null, null, handle, null, null, null,
                false, null, approvals, 3, null, "w1", Instant.now())));
    }

    @Test
    void anIdIsNotApprovedForWhicheverCallHasItByNow() throws Exception {
        pending(Approved.waiting("lookedat-1", Approved.call("c7", "telegram:1"), 7, Instant.now()));
        assertThat(run("approvals", "c7")).isZero();
        write(Topic.PENDING, null, "lookedat-1", null);
        pending(Approved.waiting("another-2", Approved.call("c7", "telegram:2"), 8, Instant.now()));

        assertThat(run("approve", "c7")).isEqualTo(2);
        assertThat(err.toString()).contains("market__sell", "telegram:2", "name it by its handle another-2",
                "--instance", "Nothing was sent");
        assertThat(run("approve", "c7", "--instance", "telegram:1")).isEqualTo(1);
        assertThat(err.toString()).contains("no approval of instance 'telegram:1' is open under 'c7'",
                "instance telegram:2");
        assertThat(run("approve", "another")).as("seven characters").isEqualTo(2);
        assertThat(run("approve", "another-2", "--instance", "telegram:1")).isEqualTo(1);
        assertThat(decisions()).isEmpty();
        assertThat(run("approve", "another-", "--by", "ann", "--timeout", "300ms")).isEqualTo(1);
        assertThat(decisions()).containsExactly(Decision.approve("another-2", "ann", null));
        assertThat(run("reject", "c7", "--by", "ann", "--reason", "no", "--timeout", "300ms")).isEqualTo(1);
        assertThat(decisions()).hasSize(2).contains(Decision.reject("another-2", "ann", "no"));
    }

    @Test
    void whoIsSlowerIsToldSo() throws Exception {
        pending(Approved.waiting("alpha-1", Approved.call("c7", "telegram:1"), 7, Instant.now()));

        Thread fleet = fleet(1, () -> event("alpha-1", "rejected", "ben", "not today"));
        assertThat(run("approve", "alpha-1", "--by", "ann", "--timeout", "60s")).isEqualTo(1);
        fleet.join();

        assertThat(err.toString()).contains("yours changed nothing: market__sell (c7, instance telegram:1) is rejected"
                + " by ben (not today)");
    }

    @Test
    void aCallThatIsAskedAboutAnewIsNotWaitedFor() throws Exception {
        ToolCall call = Approved.call("c7", "telegram:1");
        pending(Approved.waiting("alpha-1", call, 7, Instant.now()));

        Thread fleet = fleet(1, () -> {
            event("alpha-1", "approved", "ann", null);
            pending(Approved.waiting("alpha-2", call, 7, Instant.now()));
            write(Topic.RESULT, 1, "telegram:1", WireCodec.of(ToolResult.class).write(new ToolResult("c7",
                    "market__sell", ResultStatus.PENDING, null, "alpha-2", null, "telegram:1", null, null, null, 1,
                    false, null, 7, null, null)));
        });
        assertThat(run("approve", "alpha-1", "--by", "ann", "--wait", "--timeout", "60s")).isEqualTo(1);
        fleet.join();

        assertThat(err.toString()).contains("is asked about anew").contains("toolfleet approvals alpha-2");
    }

    @Test
    void aRejectionSaysWhoAndWhy() throws Exception {
        pending(Approved.waiting("alpha-1", Approved.call("c7", "telegram:1"), 7, Instant.now()));

        Thread fleet = fleet(1, () -> event("alpha-1", "rejected", System.getProperty("user.name"), "no"));
        assertThat(run("reject", "alpha-1", "--reason", "no", "--timeout", "60s")).as(err.toString()).isZero();
        fleet.join();

        assertThat(out.toString()).contains("rejected market__sell (c7, instance telegram:1); its agent is told");
        assertThat(decisions()).containsExactly(Decision.reject("alpha-1", System.getProperty("user.name"), "no"));
    }

    private interface Playing {
        void play() throws Exception;
    }

    /// A fleet that does something when so many decisions stand on their topic.
    private Thread fleet(int decisions, Playing playing) {
        return Thread.ofVirtual().start(() -> {
            Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50))
                    .until(() -> decisions().size() >= decisions);
            try {
                playing.play();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private List<Decision> decisions() {
        List<Decision> found = new ArrayList<>();
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Duration.ofSeconds(10), TopicScan.Gauge.SILENT)) {
            List<TopicPartition> partitions = scan.partitions(kafka.topic(Topic.DECISION.baseName()));
            scan.read(scan.beginnings(partitions),
                    record -> found.add(WireCodec.of(Decision.class).read(record.value())));
        }
        return found;
    }

    private void event(String handle, String action, @Nullable String by, @Nullable String reason)
            throws InterruptedException, ExecutionException {
        AuditedCall call = new AuditedCall("c7", "market__sell", null, "telegram:1", null, null, null, null, null, null,
                null, null);
        write(Topic.AUDIT, null, "telegram:1", WireCodec.of(AuditEvent.class).write(new AuditEvent(
                AuditEvent.Kind.DECISION, action, by, reason, null, null, call, handle, null, null, null, false, "w1",
                Instant.now())));
    }

    private void result(ToolCall call, ResultStatus status) throws InterruptedException, ExecutionException {
        write(Topic.RESULT, 1, call.instanceKey(), WireCodec.of(ToolResult.class).write(new ToolResult(call.id(),
                call.name(), status, Json.MAPPER.createObjectNode().put("sold", 100), null, null, call.instanceKey(),
                null, null, null, 1, false, null, 7, null, null)));
    }

    private void work(String handle) throws InterruptedException, ExecutionException {
        Instant now = Instant.now();
        pending(new PendingCall(handle, PendingCall.Kind.ASYNC, Approved.call("b1", "i"), 1, 3, null, null,
                now.plus(Duration.ofHours(2)), null, null, now, null));
    }

    private void pending(PendingCall call) throws InterruptedException, ExecutionException {
        write(Topic.PENDING, null, call.handle(), WireCodec.of(PendingCall.class).write(call));
    }

    private void write(Topic topic, @Nullable Integer partition, String key, byte @Nullable [] value)
            throws InterruptedException, ExecutionException {
        producer.send(new ProducerRecord<>(kafka.topic(topic.baseName()), partition,
                key.getBytes(StandardCharsets.UTF_8), value)).get();
    }

    private int run(String... arguments) {
        return commands.with("--bootstrap", kafka.bootstrapServers(), "--set", "topics.prefix=" + kafka.prefix())
                .run(arguments);
    }
}
