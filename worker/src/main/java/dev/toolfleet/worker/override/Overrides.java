package dev.toolfleet.worker.override;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.toolfleet.policy.ClearedLabels;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.execute.EndOrder;
import dev.toolfleet.worker.execute.HandlerExecutor;
import dev.toolfleet.worker.execute.HandlerRoom;
import dev.toolfleet.worker.identity.Cancellations;
import dev.toolfleet.worker.identity.LaneOrders;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.record.RecordWriter;
import dev.toolfleet.worker.recovery.IdentityStage;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Cancellations and operators' orders, and the parts that carry them out.
public final class Overrides {
    private final HandlerRoom handlers;
    private final RecordWriter writer;
    private final InstantSource clock;
    private final WorkerMeters meters;
    private final Cancellations cancellations;
    private final LaneOrders orders;
    private final ClearedLabels cleared;
    private final CancelReplies replies;

    /// None is known yet. Cancellations interrupt handlers from now on.
    public Overrides(HandlerRoom handlers, RecordWriter writer, InstantSource clock, WorkerMeters meters) {
        this.handlers = handlers;
        this.writer = writer;
        this.clock = clock;
        this.meters = meters;
        this.cancellations = new Cancellations(clock);
        this.orders = new LaneOrders(clock);
        this.cleared = new ClearedLabels(clock);
        this.replies = new CancelReplies((call, calledAt, at) -> {
            LaneOrder failed = orders.fails(call.instanceKey(), at);
            return failed != null ? EndOrder.of(failed) : EndOrder.of(cancellations.of(call, calledAt));
        }, meters);
        cancellations.tell((cancel, writtenAt) -> handlers.running().cancelled(cancel.instanceKey()));
    }

    /// Follows the topics of both; done when their present ends were read.
    ///
    /// @param patience of one request to the brokers
    public List<CompletableFuture<Void>> follow(Topics topics, Admin admin, StateFollower follower, Duration patience) {
        List<CompletableFuture<Void>> read = new ArrayList<>(
                new ControlTopic(topics.name(Topic.CONTROL), admin, follower, clock, patience).follow(cancellations));
        read.addAll(new ControlTopic(topics.name(Topic.OPERATOR), admin, follower, clock, patience)
                .follow(new OperatorOrders(orders, new LabelOrders(cleared))));
        return read;
    }

    /// Returns the number of cancellations that were forgotten because there were too many.
    public long forgotten() {
        return cancellations.forgotten();
    }

    /// Lets operators clear labels of instances in these partitions, from now on.
    public void clearLabels(PartitionStates states) {
        states.clearedBy(label -> cleared.upTo(label.instanceKey(), label.added().label()));
    }

    /// Returns the replies of cancelled calls.
    public CancelReplies replies() {
        return replies;
    }

    /// Makes the part that carries out orders for calls on their way.
    ///
    /// @param publisher takes records at once
    public LaneOverride orders(Consumer<ProducerRecord<byte[], byte[]>> publisher) {
        return executor(publisher);
    }

    private LaneOrderExecutor executor(Consumer<ProducerRecord<byte[], byte[]>> publisher) {
        return new LaneOrderExecutor(orders, replies, handlers.deadlines(), HandlerExecutor.GRACE,
                new OrderAudit(writer, publisher, clock));
    }

    /// Carries out orders for calls in the lanes from now on.
    ///
    /// @param publisher takes records at once
    public void control(Lanes lanes, Consumer<ProducerRecord<byte[], byte[]>> publisher) {
        new LaneControl(lanes, handlers.running()).follow(orders, executor(publisher));
    }

    /// Makes the part that ends calls whose way takes too long.
    ///
    /// @param limit of a call without a deadline
    public CallWatch watch(Duration limit) {
        return new DeadlineWatch(handlers.deadlines(), handlers.abandoned(), clock, limit, HandlerExecutor.GRACE);
    }

    /// Makes the part that cancels the work behind the handles of cancelled calls; cancellations reach it from now on.
    ///
    /// @param publisher takes records at once
    public PendingCancels pending(PartitionStates states, Consumer<ProducerRecord<byte[], byte[]>> publisher) {
        PendingCancels pending = new PendingCancels(cancellations, states, writer, publisher, meters);
        cancellations.tell(pending::cancelled);
        return pending;
    }

    /// Makes the gate that ends cancelled calls before they begin.
    public IdentityStage gate(IdentityStage inner) {
        return new CancelGate(inner, replies);
    }
}
