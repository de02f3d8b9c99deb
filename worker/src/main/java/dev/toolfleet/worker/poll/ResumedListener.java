package dev.toolfleet.worker.poll;

import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.identity.Arrival;

/// Listener of the resumed loop: ends pending calls by their outcomes, and takes approved calls in.
public interface ResumedListener {
    /// Outcomes were read. The loop calls this before they can be finished.
    ///
    /// @param next the position behind the read
    void tracked(int partition, long epoch, Offsets offsets, long next);

    /// Ends a pending call. Runs on a thread of its own and may wait.
    ///
    /// @param done run once the call's fate is known
    void end(Position at, ResumedCall call, Runnable done);

    /// Takes an approved call in, or refuses it for now. Runs on the loop's thread and does not wait.
    boolean offer(Arrival.Granted granted);

    /// True if an earlier owner began the call.
    boolean began(Arrival.Granted granted);

    /// Reports that all records before `position` were read, and that the calls among them that had begun were
    /// taken in. Returns true if that is far enough.
    boolean settled(int partition, long epoch, long position);
}
