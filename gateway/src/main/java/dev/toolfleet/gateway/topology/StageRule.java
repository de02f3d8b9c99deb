package dev.toolfleet.gateway.topology;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallWait;
import dev.toolfleet.wire.PendingCall;
import org.jspecify.annotations.Nullable;

/// Rule for the stage of a call that has no final result. Views and heads share it, so that a list shows what the call
/// itself shows. Pure.
final class StageRule {
    private StageRule() {}

    /// Returns the open wait; the latest one, if an earlier end is not read yet.
    ///
    /// @param ended handles of the waits that are over
    static Optional<CallWait> openWait(Collection<CallWait> waits, Set<String> ended) {
        return waits.stream().filter(wait -> !ended.contains(wait.handle()))
                .max(Comparator.comparing(CallWait::createdAt).thenComparing(CallWait::handle));
    }

    /// Returns the stage.
    ///
    /// @param open the open wait; null for none
    /// @param pending the handle of the latest pending result; null for none
    /// @param ended handles of the waits that are over
    /// @param reported true if progress was reported
    static CallStage stage(@Nullable CallWait open, @Nullable String pending, Set<String> ended, boolean reported) {
        if (open != null)
            return open.kind() == PendingCall.Kind.APPROVAL ? CallStage.APPROVAL : CallStage.PENDING;
        if (pending != null)
            return ended.contains(pending) ? CallStage.RESUMED : CallStage.PENDING;
        if (!ended.isEmpty())
            return CallStage.RESUMED;
        return reported ? CallStage.RUNNING : CallStage.ACCEPTED;
    }
}
