package dev.toolfleet.worker.app;

import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.poll.PollLoop;
import dev.toolfleet.worker.poll.TakeOver;
import dev.toolfleet.worker.poll.TakeOverPool;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Tells the poll loop what others have for it. Made before the loop, which needs those others.
final class PollLink implements PartitionListener, TakeOverPool.Adopter {
    private final PartitionStates states;
    private @Nullable PollLoop poll;
    private @Nullable Runnable onFenced;

    PollLink(PartitionStates states) {
        this.states = states;
    }

    /// @param whenFenced told when another producer has taken one of this worker's ids
    void connect(PollLoop loop, Runnable whenFenced) {
        poll = loop;
        onFenced = whenFenced;
    }

    @Override
    public void held(int partition, long epoch, Hold why, boolean on) {
        requireNonNull(poll).hold(partition, epoch, why, on);
    }

    @Override
    public void committed(int partition, long epoch, long frontier) {
        PartitionState state = states.of(partition, epoch);
        if (state != null)
            state.frontier(frontier);
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
