package dev.toolfleet.worker.catalog;

import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;

/// Result of looking up a call's step in the newest catalog of its agent. Pure.
sealed interface StepLookup {
    /// The catalog holds the step.
    record Known(String digest, StepCatalog catalog) implements StepLookup {}

    /// The catalog is of later steps, and no longer remembers the call's step.
    record TooOld(StepCatalog catalog) implements StepLookup {}

    /// There is no catalog, or none that contains the step: it may still come.
    record NotYet(@Nullable StepCatalog catalog) implements StepLookup {}

    /// Looks the call's step up.
    static StepLookup of(ToolCall call, @Nullable StepCatalog newest) {
        if (newest == null)
            return new NotYet(null);
        String step = call.stepId();
        if (step == null || matches(call, newest.turnId(), newest.stepId()))
            return new Known(newest.digest(), newest);
        for (RecentStep recent : newest.recent()) {
            if (matches(call, recent.turnId(), recent.stepId()))
                return new Known(recent.digest(), newest);
        }
        Integer index = call.stepIndex();
        Integer newestIndex = newest.stepIndex();
        boolean earlier = newest.turnId().equals(call.turnId()) && index != null && newestIndex != null
                && index < newestIndex;
        return earlier ? new TooOld(newest) : new NotYet(newest);
    }

    private static boolean matches(ToolCall call, String turnId, String stepId) {
        return stepId.equals(call.stepId()) && (call.turnId() == null || turnId.equals(call.turnId()));
    }
}
