package dev.toolfleet.worker.override;

import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.execute.EndOrder;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.recovery.IdentityStage;

/// Ends calls unstarted that were cancelled while they were queued, before they were written, or before they are
/// read again. Asked after what earlier owners of the partition began is settled: a call that may have happened is not
/// said to have been cancelled. Asked before the middlewares; what is cancelled later is found by the handler's start.
///
/// @param inner knows what was answered, runs and was begun
/// @param cancelling knows what was cancelled
public record CancelGate(IdentityStage inner, CancelReplies cancelling) implements IdentityStage {
    @Override
    public Entry enter(Identified call, Abandoned abandoned) {
        Entry entry = inner.enter(call, abandoned);
        if (!(entry instanceof Entry.GoOn))
            return entry;
        Arrival.Call arrival = call.call().arrival();
        EndOrder cancel = cancelling.of(arrival.call(), arrival.appendedAt(), arrival.position());
        return cancel == null ? entry : new Entry.Ended(cancelling.unstarted(cancel), null);
    }
}
