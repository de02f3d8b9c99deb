package dev.toolfleet.worker.completion;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.completion.BrokerFixture.PARTITIONS;
import static dev.toolfleet.worker.completion.Handles.DECISIONS;
import static dev.toolfleet.worker.completion.Handles.PENDING;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Decisions about calls, on a broker, through restarts.
@EmbeddedKafkaTest
class ApprovalTopologyIT {
    private static final int HANDLES = 120;
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);
    private static final WireCodec<AuditEvent> AUDIT = WireCodec.of(AuditEvent.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static String handle(int number) {
        return "approval-" + number;
    }

    private static PendingCall pending(int number, Instant now) {
        PendingCall call = Handles.asking(number);
        return new PendingCall(handle(number), call.kind(), call.call(), number % PARTITIONS, number, null, null,
                now.plus(Duration.ofMinutes(30)), null, null, now, call.origin(), call.approval());
    }

    /// Even numbers are approved, odd ones rejected, each twice.
    private static void decide(BrokerFixture broker, int from, int to) {
        for (int round = 0; round < 2; round++) {
            for (int i = from; i < to; i++) {
                Decision decision = i % 2 == 0
                        ? Decision.approve(handle(i), "ann", null)
                        : Decision.reject(handle(i), "ben", "no");
                broker.sendForeign(Topic.DECISION, handle(i), DECISIONS.write(decision));
            }
        }
        broker.flush();
    }

    /// Returns the expected fate of each.
    private static String fate(int number) {
        if (number >= 3 * HANDLES / 4)
            return "approval-expired";
        return number % 2 == 0 ? "approved" : "rejected";
    }

    @Test
    void everyApprovalEndsOnceThroughRestartsAndIsGrantedAtMostOnce(KafkaFixture kafka) {
        try (BrokerFixture broker = new BrokerFixture(kafka)) {
            // A quarter is decided before anybody knows of it.
            decide(broker, 0, HANDLES / 4);
            try (StreamsRun _ = broker.run(folder.resolve("a"))) {
                for (int i = 0; i < HANDLES; i++)
                    broker.send(Topic.PENDING, handle(i), PENDING.write(pending(i, broker.now.get())));
                decide(broker, HANDLES / 4, HANDLES / 2);
                // Somewhere in the middle.
                broker.records(Topic.CALL_RESUMED, HANDLES / 10);
            }
            decide(broker, HANDLES / 2, 3 * HANDLES / 4);
            try (StreamsRun _ = broker.run(folder.resolve("b"))) {
                broker.records(Topic.CALL_RESUMED, 3 * HANDLES / 4);
            }
            broker.now.updateAndGet(time -> time.plus(Duration.ofHours(2)));
            // These come after their time, and may be read before anybody has looked at that.
            decide(broker, 3 * HANDLES / 4, HANDLES);
            try (StreamsRun _ = broker.run(folder.resolve("b"))) {
                broker.records(Topic.DEAD_LETTER, 3 * HANDLES / 4 + 2 * (HANDLES / 4));
                Map<Integer, String> ends = new HashMap<>();
                for (ConsumerRecord<byte[], byte[]> record : broker.records(Topic.CALL_RESUMED, HANDLES)) {
                    ResumedCall call = RESUMED.read(record.value());
                    int number = (int) call.callOffset();
                    assertThat(record.partition()).isEqualTo(number % PARTITIONS);
                    assertThat(ends.put(number, end(call, number))).as("ends once").isNull();
                }
                Map<String, String> events = new HashMap<>();
                for (ConsumerRecord<byte[], byte[]> record : broker.records(Topic.AUDIT, HANDLES)) {
                    AuditEvent event = AUDIT.read(record.value());
                    assertThat(events.put(requireNonNull(event.handle()), event.action())).as("one event").isNull();
                }
                for (int i = 0; i < HANDLES; i++) {
                    assertThat(ends).containsEntry(i, fate(i));
                    assertThat(events).containsEntry(handle(i), fate(i));
                }
                assertThat(broker.records(Topic.PENDING, 2 * HANDLES)).filteredOn(one -> one.value() == null)
                        .hasSize(HANDLES);
            }
        }
    }

    private static String end(ResumedCall call, int number) {
        if (call.grant() != null) {
            assertThat(call.grant().handle()).isEqualTo(handle(number));
            assertThat(call.call()).isEqualTo(Handles.asking(number).call());
            return "approved";
        }
        String code = requireNonNull(requireNonNull(call.outcome()).error()).code();
        return code.equals("E_TOOL_APPROVAL_REJECTED") ? "rejected" : "approval-expired";
    }
}
