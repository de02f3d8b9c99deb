package dev.toolfleet.worker.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.worker.simulation.History.Assignment;

/// Calls of a world whose results were deleted together with the group's offsets, as far as `docs/guarantees.md` allows
/// for it: such a call ends once more, unknown or by another run of one that may run twice. It runs again although it must
/// not when the owner that knew of the doubt is gone before it has answered the call.
final class Forgotten {
    /// End of each partition when a worker last took it over without an offset of the group.
    private final Map<Integer, Long> ends = new HashMap<>();
    private final Set<Assignment> doubting = new HashSet<>();
    /// Identities of calls that an heir of such a worker has run.
    private final Set<String> inherited = new HashSet<>();
    private boolean begun;

    /// Results are deleted from now on.
    void begin() {
        begun = true;
    }

    boolean isAny() {
        return begun;
    }

    /// A worker has taken a partition over.
    ///
    /// @param stored whether the group had an offset
    void opened(Assignment assignment, long end, boolean stored) {
        if (!begun || stored)
            return;
        doubting.add(assignment);
        ends.merge(assignment.partition(), end, Math::max);
    }

    /// True if the call may have been answered, and that cannot be decided.
    boolean isDoubtful(SimCall call) {
        return call.offset() < ends.getOrDefault(call.partition(), -1L);
    }

    void started(History.Start start) {
        if (isDoubtful(start.call)
                && !doubting.contains(new Assignment(start.worker, start.call.partition(), start.epoch)))
            inherited.add(start.call.identity());
    }

    /// True if an owner that did not know of the doubt has run a call of that identity.
    boolean wasInherited(String identity) {
        return inherited.contains(identity);
    }
}
