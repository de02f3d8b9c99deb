package dev.toolfleet.wire;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;

/// A call that finishes later, on `tool.pending` by its handle.
///
/// @param kind whether work or a person's decision is awaited
/// @param call the call, so that it can be finished or resumed from this record alone
/// @param partition the call's partition number: what derives from the call goes there, whatever its key
/// @param callOffset the call's offset on `tool.call`
/// @param deadline when it expires
/// @param heartbeatTimeout how long it may stay silent
/// @param tokenHash SHA-256 of the token that a completion must carry
/// @param origin how the call began, for its final result; absent when the writer did not say
/// @param approval what a person is asked; absent when work is awaited
public record PendingCall(String handle, Kind kind, ToolCall call, int partition, long callOffset,
        @Nullable String catalogDigest, @Nullable JsonNode output, Instant deadline,
        @Nullable Duration heartbeatTimeout,
        @Nullable String tokenHash, Instant createdAt, @Nullable CallOrigin origin,
        @Nullable Approval approval) {
    /// The longest handle, in UTF-16 units: it is a record's key.
    public static final int MAX_HANDLE = 1024;
    /// The largest record value, in bytes: writers refuse a larger one, and readers accept every one up to it. It is 1 MB
    /// less than the topic takes, for key and headers, and for what wraps the call when it goes on.
    public static final int MAX_BYTES = 2_097_188;

    /// Checks that the call can be found, finished and ended.
    public PendingCall {
        requireNonNull(handle, "handle");
        requireNonNull(kind, "kind");
        requireNonNull(call, "call");
        requireNonNull(deadline, "deadline");
        requireNonNull(createdAt, "createdAt");
    }

    /// A wait for which no person is asked.
    public PendingCall(String handle, Kind kind, ToolCall call, int partition, long callOffset,
            @Nullable String catalogDigest, @Nullable JsonNode output, Instant deadline,
            @Nullable Duration heartbeatTimeout, @Nullable String tokenHash, Instant createdAt,
            @Nullable CallOrigin origin) {
        this(handle, kind, call, partition, callOffset, catalogDigest, output, deadline, heartbeatTimeout, tokenHash,
                createdAt, origin, null);
    }

    /// The same wait for this call, with this output so far.
    public PendingCall forCall(ToolCall newCall, @Nullable JsonNode newOutput) {
        return new PendingCall(handle, kind, newCall, partition, callOffset, catalogDigest, newOutput, deadline,
                heartbeatTimeout, tokenHash, createdAt, origin, approval);
    }

    /// The same wait, of whose question so many places are not shown.
    public PendingCall hiding(@Nullable Integer places) {
        return approval == null
                ? this
                : new PendingCall(handle, kind, call, partition, callOffset, catalogDigest, output, deadline,
                        heartbeatTimeout, tokenHash, createdAt, origin, approval.hiding(places));
    }

    /// The same wait, whose question these people have approved so far; null for nobody.
    public PendingCall approvedBy(@Nullable List<String> people) {
        return approval == null
                ? this
                : new PendingCall(handle, kind, call, partition, callOffset, catalogDigest, output, deadline,
                        heartbeatTimeout, tokenHash, createdAt, origin, approval.approvedBy(people));
    }

    /// True if `other` is the wait of the very same call: same partition, same offset and, where both name one, same
    /// append time. A topic that was made anew or truncated has other calls at the same offsets.
    public boolean isOf(PendingCall other) {
        return partition == other.partition && callOffset == other.callOffset
                && (origin == null || other.origin == null || origin.calledAt().equals(other.origin.calledAt()));
    }

    /// What is awaited.
    public enum Kind {
        /// Work that goes on elsewhere.
        @JsonProperty("async")
        ASYNC,
        /// A person's decision.
        @JsonProperty("approval")
        APPROVAL,
        /// A kind of a later version, as which every one is read that this version does not know. Never written.
        @JsonEnumDefaultValue
        @JsonProperty("unknown")
        UNKNOWN
    }
}
