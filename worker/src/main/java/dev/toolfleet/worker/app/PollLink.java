package dev.toolfleet.worker.app;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.poll.PollLoop;
import dev.toolfleet.worker.poll.TakeOverPool;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Tells the poll loop what others have for it. Made before the loop, which needs those others.
final class PollLink implements PartitionListener, TakeOverPool.Adopter {
    private @Nullable PollLoop poll;
    private @Nullable DuplicateName name;

    void connect(PollLoop loop, DuplicateName duplicate) {
        poll = loop;
        name = duplicate;
    }

    /// A producer of ours was fenced.
    public void fenced() {
        requireNonNull(name).fenced();
    }

    @Override
    public void metadataFull(int partition, long epoch, boolean full) {
        requireNonNull(poll).metadataFull(partition, epoch, full);
    }

    @Override
    public void failed(Throwable cause) {
        requireNonNull(poll).fail(cause);
    }

    @Override
    public void adopt(int partition, long epoch, DoneOffsets start, PartitionState state) {
        requireNonNull(poll).adopt(partition, epoch, start, state);
    }
}
