package dev.toolfleet.worker.record;

import dev.toolfleet.worker.call.CallRun;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.identity.PartitionState;

/// What comes after the replay of an earlier result: the final result of a call whose pending one was repeated may be
/// published now.
///
/// @param run the duplicate
record ReplaySequel(CallRun run) implements Outcome.Sequel {
    @Override
    public void committed(long offset, long appendedAt) {
        PartitionState state = run.state();
        if (state != null)
            state.forget(run.call());
    }
}
