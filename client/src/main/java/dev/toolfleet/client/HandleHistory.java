package dev.toolfleet.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.wire.PendingCall;
import org.jspecify.annotations.Nullable;

/// State of one handle, from its records on `tool.pending` in their order: the call that holds it, and the time of its
/// end. The rules are the fleet's own: the first call that takes a handle keeps it, and for 7 days after its end no
/// other call gets it. Pure; not thread-safe.
final class HandleHistory {
    private static final Duration HELD_AFTER_END = Duration.ofDays(7);

    private @Nullable PendingCall holder;
    private @Nullable Instant endedAt;

    /// Applies a pending record: a call claims the handle, or the fleet repeats the claim.
    void pending(PendingCall call, Instant at) {
        Instant ended = endedAt;
        if (holder == null || (ended != null && !holder.isOf(call) && at.isAfter(ended.plus(HELD_AFTER_END)))) {
            holder = call;
            endedAt = null;
        }
    }

    /// Applies the end of the call.
    void ended(Instant at) {
        if (holder != null && endedAt == null)
            endedAt = at;
    }

    /// Returns the call that holds or held it.
    Optional<PendingCall> holder() {
        return Optional.ofNullable(holder);
    }

    /// Returns the time of the call's end; empty while it is open.
    Optional<Instant> endedAt() {
        return Optional.ofNullable(endedAt);
    }
}
