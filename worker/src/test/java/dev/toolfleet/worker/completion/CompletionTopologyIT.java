package dev.toolfleet.worker.completion;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.completion.BrokerFixture.PARTITIONS;
import static dev.toolfleet.worker.completion.Handles.COMPLETIONS;
import static dev.toolfleet.worker.completion.Handles.PENDING;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// The topology on a broker, without an engine around it.
@EmbeddedKafkaTest
class CompletionTopologyIT {
    private static final int HANDLES = 300;
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static String handle(int number) {
        return "build-" + number;
    }

    private static PendingCall pending(int number, Instant now) {
        PendingCall call = Handles.waiting(number);
        return new PendingCall(handle(number), call.kind(), call.call(), number % PARTITIONS, number, null, null,
                now.plus(Duration.ofHours(1)), null, null, now, call.origin());
    }

    private static void complete(BrokerFixture broker, int number) {
        broker.sendForeign(Topic.COMPLETION, handle(number),
                COMPLETIONS.write(Completion.completed(handle(number), Json.MAPPER.valueToTree(number), null)));
    }

    @Test
    void aRestartLosesNoHandleAndEveryOneEndsOnceWhateverPartitionerCompletesIt(KafkaFixture kafka) {
        try (BrokerFixture broker = new BrokerFixture(kafka)) {
            try (StreamsRun _ = broker.run(folder.resolve("a"))) {
                for (int i = 0; i < HANDLES; i++)
                    broker.send(Topic.PENDING, handle(i), PENDING.write(pending(i, broker.now.get())));
                for (int i = 0; i < HANDLES / 3; i++)
                    complete(broker, i);
                broker.flush();
                outcomes(broker, HANDLES / 10);
            }
            for (int i = HANDLES / 3; i < 2 * HANDLES / 3; i++)
                complete(broker, i);
            broker.flush();
            // All that was on this disk is read back from the changelogs.
            try (StreamsRun _ = broker.run(folder.resolve("b"))) {
                outcomes(broker, 2 * HANDLES / 3);
            }
            broker.now.updateAndGet(time -> time.plus(Duration.ofHours(2)));
            // The remaining handles became due while the topology was down.
            try (StreamsRun _ = broker.run(folder.resolve("b"))) {
                Map<Integer, Completion.Kind> ends = new HashMap<>();
                for (ConsumerRecord<byte[], byte[]> record : outcomes(broker, HANDLES)) {
                    ResumedCall call = RESUMED.read(record.value());
                    int number = (int) call.callOffset();
                    assertThat(record.partition()).isEqualTo(number % PARTITIONS);
                    assertThat(ends.put(number, requireNonNull(call.outcome()).kind())).as("ended once").isNull();
                }
                for (int i = 0; i < HANDLES; i++) {
                    assertThat(ends).containsEntry(i,
                            i < 2 * HANDLES / 3 ? Completion.Kind.COMPLETED : Completion.Kind.FAILED);
                }
                complete(broker, HANDLES - 1);
                broker.flush();
                assertThat(broker.records(Topic.DEAD_LETTER, 1)).hasSize(1);
                assertThat(outcomes(broker, HANDLES)).hasSize(HANDLES);
                assertThat(broker.records(Topic.PENDING, 2 * HANDLES)).filteredOn(one -> one.value() == null)
                        .hasSize(HANDLES);
            }
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> outcomes(BrokerFixture broker, int atLeast) {
        return broker.records(Topic.CALL_RESUMED, atLeast);
    }
}
