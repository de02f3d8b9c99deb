package dev.toolfleet.worker.record;

import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.execute.CallProgress;
import dev.toolfleet.worker.execute.DeadlineLoop;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes records of `tool.progress` of what running handlers say, in the partition of their call. Thread-safe.
public final class ProgressReports {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressReports.class);
    private static final WireCodec<ToolProgress> CODEC = WireCodec.of(ToolProgress.class);

    private final RecordWriter writer;
    private final GuardStage guard;
    private final Consumer<ProducerRecord<byte[], byte[]>> publisher;
    private final DeadlineLoop timers;
    private final InstantSource clock;
    private final LongSupplier nanos;

    /// @param guard lets messages pass
    /// @param publisher takes each record at once, and may drop it
    /// @param timers wake up for what was held back
    /// @param nanos `System.nanoTime`
    public ProgressReports(RecordWriter writer, ResultGuard guard, Consumer<ProducerRecord<byte[], byte[]>> publisher,
            DeadlineLoop timers, InstantSource clock, LongSupplier nanos) {
        this.writer = writer;
        this.guard = new GuardStage(guard);
        this.publisher = publisher;
        this.timers = timers;
        this.clock = clock;
        this.nanos = nanos;
    }

    /// For one start of a call's handler.
    public CallProgress of(CallFacts run) {
        return new CallProgress(progress -> publish(run, progress), timers, nanos);
    }

    private void publish(CallFacts run, Progress progress) {
        ToolCall call = run.call().arrival().call();
        Position position = run.call().arrival().position();
        try {
            ToolProgress event = new ToolProgress(call.id(), call.name(), null, call.instanceKey(), call.agentName(),
                    call.turnId(), call.stepId(), guarded(run, progress), clock.instant());
            // A call has many of them.
            String id = RecordWriter.id(position) + "-" + event.at().toEpochMilli();
            HeaderList headers = writer.headers(EventType.TOOL_PROGRESS, id, call.instanceKey(), run.context());
            headers.put(WireHeaders.CALL_OFFSET, Long.toString(position.offset()));
            publisher.accept(writer.inPartition(Topic.PROGRESS, position.partition(), call.instanceKey(),
                    CODEC.write(event), headers));
        } catch (RuntimeException e) {
            // No handler fails because its progress cannot be told.
            LOG.atWarn().addKeyValue(LogKeys.CALL_ID, call.id()).addKeyValue(LogKeys.REASON, Unquoted.name(e))
                    .log("progress not published");
        }
    }

    private Progress guarded(CallFacts run, Progress progress) {
        String message = progress.message();
        return message == null ? progress : new Progress(progress.percent(), guard.message(run, message));
    }
}
