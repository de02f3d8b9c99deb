package dev.toolfleet.worker.override;

import java.util.function.Consumer;

import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.identity.Cancellations;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.record.RecordWriter;
import dev.toolfleet.worker.telemetry.LogKeys;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Cancels the work behind the handles of cancelled calls: as the owner of a call's partition, which knows what its calls
/// wait for, repeats the call's cancellation on `tool.control`, for its handle. The completion topology hears
/// that and ends the call.
///
/// A handle opens in two steps: (1) its partition's state knows it, (2) the cancellations are asked. A cancellation comes
/// in two steps: (a) it can be found, (b) the states are asked. When a comes before 2, 2 finds it; otherwise 1 was before
/// b, and b finds the handle. Both may: then it is written twice, which does no harm. A partition that
/// is taken over looks for all of its handles, in the order of a handle that opens; so what a worker could not write any
/// more is written by the next.
public final class PendingCancels {
    private static final Logger LOG = LoggerFactory.getLogger(PendingCancels.class);
    private static final WireCodec<CancelCall> CODEC = WireCodec.of(CancelCall.class);

    private final Cancellations cancellations;
    private final PartitionStates states;
    private final RecordWriter writer;
    private final Consumer<ProducerRecord<byte[], byte[]>> publisher;
    private final WorkerMeters meters;

    /// @param publisher takes records of `tool.control`, at once
    public PendingCancels(Cancellations cancellations, PartitionStates states, RecordWriter writer,
            Consumer<ProducerRecord<byte[], byte[]>> publisher, WorkerMeters meters) {
        this.cancellations = cancellations;
        this.states = states;
        this.writer = writer;
        this.publisher = publisher;
        this.meters = meters;
    }

    /// A cancellation has come, and can be found.
    public void cancelled(CancelCall cancel, long writtenAt) {
        states.handlesMeant(cancel, writtenAt).forEach(handle -> publish(cancel.ofHandle(handle)));
    }

    /// A call waits for its handle, and its partition's state knows it.
    public void pending(OpenHandle open) {
        CancelCall cancel = cancellations.of(open, open.calledAt().toEpochMilli());
        if (cancel != null)
            publish(cancel.ofHandle(open.handle()));
    }

    /// A partition was taken over, and its state can be asked.
    public void opened(PartitionState state) {
        state.cancelled(cancellations).forEach(this::publish);
    }

    private void publish(CancelCall cancel) {
        meters.callCancelled(WorkerMeters.Cancelled.PENDING);
        LOG.atInfo().addKeyValue(LogKeys.INSTANCE, cancel.instanceKey()).log("handle of a cancelled call is cancelled");
        publisher.accept(writer.byKey(Topic.CONTROL, cancel.instanceKey(), CODEC.write(cancel),
                writer.headers(EventType.TOOL_CONTROL, cancel.instanceKey())));
    }
}
