package dev.toolfleet.worker.poll;

import java.util.concurrent.CompletableFuture;

import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.identity.Arrival;

/// Listener of the poll loop: takes calls in, and is called as assignments begin and end. All calls come from the poll
/// thread, and no method may block, except for [#committed].
public interface PollListener {
    /// A partition starts.
    void opened(int partition, long epoch, TakeOver.Restored from);

    /// Records from `first` on were read. That record was appended at `appendedAt`, in epoch milliseconds.
    void read(int partition, long epoch, long first, long appendedAt);

    /// Calls were read. The loop calls this before it offers them.
    void tracked(int partition, long epoch, Offsets offsets, long next);

    /// Takes a call in, or refuses it for now.
    boolean offer(Arrival arrival);

    /// Queued calls of the assignment must not start any more.
    void stopStarting(int partition, long epoch);

    /// The assignment is about to move to another worker. The next commit holds all finished calls.
    void moving(int partition, long epoch);

    /// The assignment ends in order with the next commit. Not called for an assignment that is lost, or that ends
    /// because the loop broke.
    void ends(int partition, long epoch);

    /// The assignment is over, and the outcomes of its calls are dropped.
    ///
    /// @param lost whether it ended without a commit: another worker may own the partition already
    void closed(int partition, long epoch, boolean lost);

    /// Done when all finished calls are committed.
    CompletableFuture<Void> committed();

    /// Done when no more results of the assignments that were closed before are published.
    CompletableFuture<Void> silent();
}
