package dev.toolfleet.worker.execute;

import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.LaneOrder;
import org.jspecify.annotations.Nullable;

/// Reason why a call must end before its time, and its author.
///
/// @param failed whether an operator ended this one call to free its lane; else the call was cancelled
public record EndOrder(boolean failed, @Nullable String by, @Nullable String reason) {
    /// Returns the reason for a cancelled call; null for null.
    public static @Nullable EndOrder of(@Nullable CancelCall cancel) {
        return cancel == null ? null : new EndOrder(false, cancel.by(), cancel.reason());
    }

    /// Returns the reason for an operator's order to end the call.
    public static EndOrder of(LaneOrder order) {
        return new EndOrder(true, order.by(), order.reason());
    }
}
