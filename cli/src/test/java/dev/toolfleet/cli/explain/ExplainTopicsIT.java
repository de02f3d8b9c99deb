package dev.toolfleet.cli.explain;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.cli.fleet.AuditedWrite;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// What the topics alone tell, while no worker runs.
@EmbeddedKafkaTest
class ExplainTopicsIT {
    private final KafkaFixture kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private final TypedCommands told;

    ExplainTopicsIT(KafkaFixture kafka) {
        this.kafka = kafka;
        new FleetTopics(new Topics(kafka.prefix()), Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Duration.ofSeconds(30)).create(OptionalInt.of(2), OptionalInt.empty());
        producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer());
        told = TypedCommands.of(200, "--bootstrap", kafka.bootstrapServers(), "--set",
                "topics.prefix=" + kafka.prefix());
    }

    @AfterEach
    void close() {
        producer.close();
    }

    @Test
    void whereACallIs() throws Exception {
        RecordMetadata one = send(call("call_0", "i", "s1"));
        send(call("call_0", "i", "s2"));
        send(call("other", "j", "s1"));

        assertThat(told.run("explain", "call_0")).isEqualTo(2);
        assertThat(told.err().toString()).contains("2 calls match", "s1", "s2", "--step");
        assertThat(told.run("explain", "call_0", "--step", "s1")).as(told.err().toString()).isZero();
        assertThat(told.out().toString()).contains("waits because no worker runs", "toolfleet worker");
        assertThat(told.run("explain", "--record", one.partition() + "/" + one.offset(), "--json")).isZero();
        assertThat(Json.MAPPER.readTree(told.out().toString()).path("verdict").stringValue()).isEqualTo("no-worker");
        String gatewayId = one.partition() + "-" + one.offset();
        assertThat(told.run("explain", gatewayId)).as(told.err().toString()).isZero();
        assertThat(told.out().toString()).contains("Call call_0 (", "gateways show it at /v1/calls/" + gatewayId);
        assertThat(told.run("explain", gatewayId, "--step", "s2")).as("that record is of another step").isEqualTo(1);
        assertThat(told.run("explain", one.partition() + "-99999")).as("no such record").isEqualTo(1);
        assertThat(told.run("explain", "missing")).isEqualTo(1);
        assertThat(told.err().toString()).contains("there is no call 'missing' within");
        assertThat(told.run("explain", "--record", "nonsense")).isEqualTo(2);
        assertThat(told.run("explain")).isEqualTo(2);

        pending("build-1", call("call_0", "i", "s1"), one);
        assertThat(told.run("explain", "build-1")).as(told.err().toString()).isZero();
        assertThat(told.out().toString()).contains(
                "is pending: work goes on elsewhere, by farm-7, under handle build-1",
                "waits for farm-7 under handle build-1",
                "toolfleet cancel build-1");
        result(one, ResultStatus.ERROR);
        assertThat(told.run("explain", "build-1")).isZero();
        assertThat(told.out().toString()).contains("has ended", "E_TOOL_CANCELLED", "docs/errors.md");
    }

    @Test
    void theLabelsThatARuleLookedAtAreThereWithTheCallsThatAddedThem() throws Exception {
        RecordMetadata one = send(call("call_0", "i", "s1"));
        RecordMetadata other = send(call("call_0", "i", "s2"));
        audit(call("call_0", "i", "s1"), one, "denied");
        audit(call("call_0", "i", "s2"), other, "shadow-denied");

        assertThat(told.run("explain", "call_0", "--step", "s1")).as(told.err().toString()).isZero();
        assertThat(told.out().toString()).contains("tool.audit",
                "denied by rule @acme/p/leak; its instance had the labels untrusted (of web__read, call call_9)",
                "labels show i   (shows the labels that count now; labels clear ends them)");
        assertThat(told.run("explain", "call_0", "--step", "s1", "--json")).isZero();
        assertThat(Json.MAPPER.readTree(told.out().toString()).at("/rulings/0/labels/0/toolCallId").asString())
                .isEqualTo("call_9");
        assertThat(told.run("explain", "call_0", "--step", "s2")).isZero();
        assertThat(told.out().toString()).doesNotContain("tool.audit", "labels");
    }

    /// As a worker writes it.
    private void audit(ToolCall call, RecordMetadata at, String action) throws Exception {
        AuditEvent event = new AuditEvent(AuditEvent.Kind.VERDICT, action, null, "no", null, null,
                AuditedWrite.audited(call), null, "@acme/p/leak", null, null, false, null, null, null,
                List.of(new AddedLabel("untrusted", "web__read", "call_9", 3, "i")), "w1", Instant.now());
        producer.send(new ProducerRecord<>(kafka.topic(Topic.AUDIT.baseName()), null, null,
                call.instanceKey().getBytes(StandardCharsets.UTF_8), WireCodec.of(AuditEvent.class).write(event),
                KafkaHeaders.of(WireHeaders.cloudEvent(EventType.TOOL_AUDIT, at.partition() + "-" + at.offset(), "/w1",
                        call.instanceKey(), Instant.now(), null))))
                .get();
    }

    @Test
    void anOrderIsWrittenWithItsAuditEvent() throws Exception {
        RecordMetadata first = send(call("a", "lane", "s1"));
        send(call("b", "lane", "s1"));

        assertThat(told.run("lane", "show", "lane")).as(told.err().toString()).isZero();
        assertThat(told.out().toString()).contains("has not ended", first.partition() + "/" + first.offset());
        assertThat(told.run("lane", "skip", "lane", "--by", "ada", "--reason", "slow")).as(told.err().toString())
                .isZero();
        assertThat(told.out().toString()).contains("goes on past call a (");
        assertThat(told.run("lane", "show", "lane")).isZero();
        assertThat(told.out().toString()).contains("skipped");
        assertThat(told.run("lane", "fail", "lane")).as("no reason").isEqualTo(2);
        assertThat(told.run("lane", "fail", "lane", "--by", "ada", "--reason", "gone", "--timeout", "300ms"))
                .as("no worker runs").isEqualTo(1);
        assertThat(told.err().toString()).contains("call b (", "has not ended within 300 ms");
        assertThat(told.run("lane", "skip", "nobody")).isEqualTo(1);

        assertThat(read(Topic.OPERATOR, LaneOrder.class)).containsExactly(
                new LaneOrder("lane", LaneOrder.Order.SKIP, first.partition(), first.offset(), "ada", "slow"),
                new LaneOrder("lane", LaneOrder.Order.FAIL, first.partition(), first.offset() + 1, "ada", "gone"));
        assertThat(read(Topic.AUDIT, AuditEvent.class))
                .extracting(event -> event.action() + " " + event.by() + " " + event.reason() + " " + event.target())
                .containsExactly("lane-skip ada slow lane", "lane-fail ada gone lane");
    }

    private static ToolCall call(String id, String instance, String step) {
        return ToolCall.of(id, "builds__start", Json.MAPPER.createObjectNode(), instance).inStep("coder", "t", step, 1);
    }

    private RecordMetadata send(ToolCall call) throws Exception {
        return producer.send(new ProducerRecord<>(kafka.topic(Topic.CALL.baseName()), null,
                call.instanceKey().getBytes(StandardCharsets.UTF_8), WireCodec.of(ToolCall.class).write(call))).get();
    }

    private void pending(String handle, ToolCall call, RecordMetadata at) throws Exception {
        Instant now = Instant.now();
        producer.send(new ProducerRecord<>(kafka.topic(Topic.PENDING.baseName()), null,
                handle.getBytes(StandardCharsets.UTF_8),
                WireCodec.of(PendingCall.class).write(new PendingCall(handle, PendingCall.Kind.ASYNC, call,
                        at.partition(), at.offset(), null, null, now.plusSeconds(600), null, null, now, null, null,
                        "farm-7"))))
                .get();
        write(at, new ToolResult(call.id(), call.name(), ResultStatus.PENDING, null, handle, null, call.instanceKey(),
                null, null, null, 1, false, null, at.offset(), null, null));
    }

    private void result(RecordMetadata at, ResultStatus status) throws Exception {
        write(at, new ToolResult("call_0", "builds__start", status, null, null,
                ToolError.of(ErrorCode.E_TOOL_CANCELLED, "by ada"), "i", null, null, null, 1, false, null, at.offset(),
                null, null));
    }

    private void write(RecordMetadata at, ToolResult result) throws Exception {
        producer.send(new ProducerRecord<>(kafka.topic(Topic.RESULT.baseName()), at.partition(),
                result.instanceKey().getBytes(StandardCharsets.UTF_8), WireCodec.of(ToolResult.class).write(result)))
                .get();
    }

    private <T> List<T> read(Topic topic, Class<T> type) {
        List<T> found = new ArrayList<>();
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Duration.ofSeconds(10), TopicScan.Gauge.SILENT)) {
            scan.read(scan.beginnings(scan.partitions(kafka.topic(topic.baseName()))),
                    record -> found.add(WireCodec.of(type).read(record.value())));
        }
        return found;
    }
}
