package dev.toolfleet.worker.execute;

import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.LaneOrder;
import org.jspecify.annotations.Nullable;

/// Why a call is to end before its time, and who says so.
///
/// @param failed whether an operator ended this one call to free its lane; else somebody no longer wants it
public record Unwanted(boolean failed, @Nullable String by, @Nullable String reason) {
    /// Somebody cancelled the call; null for null.
    public static @Nullable Unwanted of(@Nullable CancelCall cancel) {
        return cancel == null ? null : new Unwanted(false, cancel.by(), cancel.reason());
    }

    /// An operator's order to end the call.
    public static Unwanted of(LaneOrder order) {
        return new Unwanted(true, order.by(), order.reason());
    }
}
