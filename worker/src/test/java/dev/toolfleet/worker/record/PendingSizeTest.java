package dev.toolfleet.worker.record;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// The worker writes pending calls up to the size that their readers take, and answers a larger one at once.
class PendingSizeTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final InstantSource CLOCK = () -> NOW;
    private static final RecordWriter WRITER = new RecordWriter(new Topics(""), "w1", CLOCK);
    private static final ResultRecords RESULTS = new ResultRecords(WRITER, CLOCK, Topic.RESULT.maxRecordBytes());
    private static final WireCodec<ToolResult> RESULT = WireCodec.of(ToolResult.class);

    private final OutcomeRecords outcomes = new OutcomeRecords(RESULTS, new SideRecords(WRITER, RESULTS, CLOCK),
            new JournalRecords(WRITER), CLOCK, "", new WorkerMeters(new SimpleMeterRegistry()), LoopStage.OFF,
            open -> {});

    private Outcome pending(int argument) {
        ToolCall call = ToolCall.of("c1", "build__start",
                JsonNodeFactory.instance.objectNode().put("text", "x".repeat(argument)), "i").inStep("coder", "t1",
                        "s1", 1);
        Identified run = Identified.of(IdentifiedCall.of(new Arrival.Call(new Position(3, 7, 42), call, 0,
                null, 100)), NOW.toEpochMilli());
        ToolReply.Pending reply = new ToolReply.Pending("h", StringNode.valueOf("queued"), null, null);
        return outcomes.of(run, reply, new Guarded(reply, null));
    }

    private static Optional<ProducerRecord<byte[], byte[]>> on(Outcome outcome, Topic topic) {
        return outcome.records().stream().filter(record -> record.topic().equals(topic.baseName())).findFirst();
    }

    private static int size(Outcome outcome) {
        return on(outcome, Topic.PENDING).orElseThrow().value().length;
    }

    @Test
    void theLargestPendingCallIsWrittenAndOneByteMoreEndsTheCall() {
        int beside = size(pending(1)) - 1;

        assertThat(size(pending(PendingCall.MAX_BYTES - beside))).isEqualTo(PendingCall.MAX_BYTES);
        Outcome larger = pending(PendingCall.MAX_BYTES - beside + 1);
        assertThat(on(larger, Topic.PENDING)).isEmpty();
        ToolResult result = RESULT.read(on(larger, Topic.RESULT).orElseThrow().value());
        assertThat(requireNonNull(result.error()).code()).isEqualTo("E_TOOL_RESULT_TOO_LARGE");
    }

    @Test
    void theLimitLeavesAMegabyteOfTheTopicsForWhatIsBesideAndAround() {
        assertThat(PendingCall.MAX_BYTES).isEqualTo(Topic.PENDING.maxRecordBytes() - 1024 * 1024)
                .isEqualTo(Topic.CALL_RESUMED.maxRecordBytes() - 1024 * 1024);
    }
}
