package dev.toolfleet.worker.record;

import dev.toolfleet.worker.call.CallRun;
import dev.toolfleet.worker.commit.Outcome;

/// What comes after an answer that nobody remembers: it is counted.
record CountedSequel(Outcomes outcomes, CallRun run) implements Outcome.Sequel {
    @Override
    public void committed(long offset, long appendedAt) {
        outcomes.counted(run, false);
    }
}
