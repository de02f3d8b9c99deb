package dev.toolfleet.worker.poll;

import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.telemetry.LoadMeters;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Passes commands of other components to the poll loop. Made before the loop, which needs those components.
final class PollLink implements PartitionListener, TakeOverPool.Adopter {
    private final PartitionStates states;
    private final PartitionWatch watch;
    private final LoadMeters meters;
    private @Nullable PollLoop poll;
    private @Nullable ResumedLoop resumed;
    private @Nullable Runnable onFenced;

    PollLink(PartitionStates states, PartitionWatch watch, LoadMeters meters) {
        this.states = states;
        this.watch = watch;
        this.meters = meters;
    }

    /// @param whenFenced told when another producer has taken one of this worker's ids
    void connect(PollLoop loop, ResumedLoop outcomes, Runnable whenFenced) {
        poll = loop;
        resumed = outcomes;
        onFenced = whenFenced;
    }

    @Override
    public void held(int partition, long epoch, Hold why, boolean on) {
        requireNonNull(poll).hold(partition, epoch, why, on);
        // Outcomes need no room in the metadata of calls.
        if (why == Hold.QUARANTINED)
            requireNonNull(resumed).quarantine(partition, epoch, on);
    }

    @Override
    public void committed(int partition, long epoch, OffsetAndMetadata calls) {
        PartitionState state = states.of(partition, epoch);
        if (state != null)
            state.frontier(calls.offset());
        watch.committed(partition, epoch, calls);
    }

    @Override
    public void wentBack(int partition, long epoch) {
        requireNonNull(poll).renew(partition, epoch);
    }

    @Override
    public void ended(boolean committed, int records, long nanos) {
        meters.transaction(committed, records, nanos);
    }

    @Override
    public void fenced() {
        requireNonNull(onFenced).run();
    }

    @Override
    public void failed(Throwable cause) {
        requireNonNull(poll).fail(cause);
    }

    @Override
    public void adopt(int partition, long epoch, TakeOver.Restored restored) {
        requireNonNull(poll).adopt(partition, epoch, restored);
    }
}
