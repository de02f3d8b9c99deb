package dev.toolfleet.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.wire.PendingCall;
import org.jspecify.annotations.Nullable;

/// What the records of one handle on `tool.pending` come to, in their order: whose it is, and whether it has ended. The
/// rules are the fleet's own: the first call that takes a handle keeps it, and for 7 days after its end no other call
/// gets it. Pure; not thread-safe.
final class HandleHistory {
    private static final Duration HELD_AFTER_END = Duration.ofDays(7);

    private @Nullable PendingCall holder;
    private @Nullable Instant endedAt;

    /// A call asks for the handle, or the fleet repeats whose it is.
    void pending(PendingCall call, Instant at) {
        Instant ended = endedAt;
        if (holder == null || (ended != null && !holder.isOf(call) && at.isAfter(ended.plus(HELD_AFTER_END)))) {
            holder = call;
            endedAt = null;
        }
    }

    /// Its call has ended.
    void ended(Instant at) {
        if (holder != null && endedAt == null)
            endedAt = at;
    }

    /// The call that holds or held it.
    Optional<PendingCall> holder() {
        return Optional.ofNullable(holder);
    }

    /// When its call ended; empty while it is open.
    Optional<Instant> endedAt() {
        return Optional.ofNullable(endedAt);
    }
}
