package dev.toolfleet.worker.app;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.poll.PollLoop;
import dev.toolfleet.worker.poll.TakeOver;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Tells the poll loop what others have for it. Made before the loop, which needs those others.
final class PollLink implements PartitionListener, TakeOver.Adopter {
    private @Nullable PollLoop poll;

    void connect(PollLoop loop) {
        poll = loop;
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
    public void adopt(int partition, long epoch, DoneOffsets start) {
        requireNonNull(poll).adopt(partition, epoch, start);
    }
}
