package dev.toolfleet.worker.app;

import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.pipeline.PendingEnds;
import dev.toolfleet.worker.poll.ResumedLoop;

/// Where the outcomes of pending calls go: the transaction loop counts them, the pipeline ends their calls.
record ResumedCalls(TransactionLoop transactions, PendingEnds pending) implements ResumedLoop.Ends {
    @Override
    public void tracked(int partition, long epoch, Offsets offsets, long next) {
        transactions.tracked(Position.Source.RESUMED, partition, epoch, offsets, next);
    }

    @Override
    public void end(Position at, ResumedCall call, Runnable done) {
        pending.end(at, call, done);
    }
}
