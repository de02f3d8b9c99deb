package dev.toolfleet.gateway.calls;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.PendingCall;
import org.jspecify.annotations.Nullable;

/// Open wait of a call: a [PendingCall] without the call itself and without the hash of its token.
///
/// @param handle names the wait
/// @param kind work or a person's decision
/// @param target the party that does the work; absent when the tool named none
/// @param approval the question to a person; absent when work is awaited
/// @param createdAt the start of the wait
/// @param deadline the time of its expiry
/// @param heartbeatTimeout the longest silence of the work; absent for no limit
public record CallWait(String handle, PendingCall.Kind kind, @Nullable String target, @Nullable Approval approval,
        Instant createdAt, Instant deadline, @Nullable Duration heartbeatTimeout) {
    /// Makes the readable part of a pending call.
    public static CallWait of(PendingCall pending) {
        return new CallWait(pending.handle(), pending.kind(), pending.target(), pending.approval(),
                pending.createdAt(), pending.deadline(), pending.heartbeatTimeout());
    }
}
