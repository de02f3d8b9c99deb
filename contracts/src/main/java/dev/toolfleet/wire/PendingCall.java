package dev.toolfleet.wire;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;

/// Call that finishes later, on `tool.pending` by its handle.
///
/// @param kind work, a person's decision, or a person's authorization
/// @param call the call, so that this record alone is enough to finish or resume it
/// @param partition the call's partition number; records derived from the call go there, whatever their key
/// @param callOffset the call's offset on `tool.call`
/// @param deadline the time of its expiry
/// @param heartbeatTimeout the longest silence
/// @param tokenHash SHA-256 of the token that a completion must carry
/// @param origin the start of the call, for its final result; absent when the writer left it out
/// @param approval the question to a person, or the request for an authorization; absent when work is awaited
/// @param target the party that does the work; absent when the tool named none
public record PendingCall(String handle, Kind kind, ToolCall call, int partition, long callOffset,
        @Nullable String catalogDigest, @Nullable JsonNode output, Instant deadline,
        @Nullable Duration heartbeatTimeout,
        @Nullable String tokenHash, Instant createdAt, @Nullable CallOrigin origin,
        @Nullable Approval approval, @Nullable String target) {
    /// The longest handle, in UTF-16 units: it is a record's key.
    public static final int MAX_HANDLE = 1024;
    /// The largest record value, in bytes: writers reject a larger one, and readers accept every one up to it. It is 1
    /// MB less than the topic takes. The rest is for key and headers, and for the record that wraps the call when it is
    /// resumed.
    public static final int MAX_BYTES = 2_097_188;

    /// Checks that the call can be found, finished and ended.
    public PendingCall {
        requireNonNull(handle, "handle");
        requireNonNull(kind, "kind");
        requireNonNull(call, "call");
        requireNonNull(deadline, "deadline");
        requireNonNull(createdAt, "createdAt");
    }

    /// Makes a wait without a target.
    public PendingCall(String handle, Kind kind, ToolCall call, int partition, long callOffset,
            @Nullable String catalogDigest, @Nullable JsonNode output, Instant deadline,
            @Nullable Duration heartbeatTimeout, @Nullable String tokenHash, Instant createdAt,
            @Nullable CallOrigin origin, @Nullable Approval approval) {
        this(handle, kind, call, partition, callOffset, catalogDigest, output, deadline, heartbeatTimeout, tokenHash,
                createdAt, origin, approval, null);
    }

    /// Makes a wait without an approval and a target.
    public PendingCall(String handle, Kind kind, ToolCall call, int partition, long callOffset,
            @Nullable String catalogDigest, @Nullable JsonNode output, Instant deadline,
            @Nullable Duration heartbeatTimeout, @Nullable String tokenHash, Instant createdAt,
            @Nullable CallOrigin origin) {
        this(handle, kind, call, partition, callOffset, catalogDigest, output, deadline, heartbeatTimeout, tokenHash,
                createdAt, origin, null);
    }

    /// Returns the same wait for this call, with this output so far.
    public PendingCall forCall(ToolCall newCall, @Nullable JsonNode newOutput) {
        return new PendingCall(handle, kind, newCall, partition, callOffset, catalogDigest, newOutput, deadline,
                heartbeatTimeout, tokenHash, createdAt, origin, approval, target);
    }

    /// Returns the same wait; its question has this number of hidden places.
    public PendingCall hiding(@Nullable Integer places) {
        return approval == null
                ? this
                : new PendingCall(handle, kind, call, partition, callOffset, catalogDigest, output, deadline,
                        heartbeatTimeout, tokenHash, createdAt, origin, approval.hiding(places), target);
    }

    /// Returns the same wait; these people have approved its question so far. Null for none.
    public PendingCall approvedBy(@Nullable List<String> people) {
        return approval == null
                ? this
                : new PendingCall(handle, kind, call, partition, callOffset, catalogDigest, output, deadline,
                        heartbeatTimeout, tokenHash, createdAt, origin, approval.approvedBy(people), target);
    }

    /// True if `other` is the wait of the very same call: same partition, same offset and, where both name one, same
    /// append time. A topic that was made anew or truncated has other calls at the same offsets.
    public boolean isOf(PendingCall other) {
        return partition == other.partition && callOffset == other.callOffset
                && (origin == null || other.origin == null || origin.calledAt().equals(other.origin.calledAt()));
    }

    /// Kind of a wait.
    public enum Kind {
        /// Work that goes on elsewhere.
        @JsonProperty("async")
        ASYNC,
        /// A person's decision.
        @JsonProperty("approval")
        APPROVAL,
        /// A person's authorization of a tool, which a grant follows.
        @JsonProperty("authorization")
        AUTHORIZATION,
        /// A kind of a later version. Every kind that this version does not know is read as this. Never written.
        @JsonEnumDefaultValue
        @JsonProperty("unknown")
        UNKNOWN;

        /// True for a question to a person.
        public boolean isQuestion() {
            return this == APPROVAL || this == AUTHORIZATION;
        }
    }
}
