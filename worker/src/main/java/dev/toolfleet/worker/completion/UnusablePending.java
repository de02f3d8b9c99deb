package dev.toolfleet.worker.completion;

import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Records of `tool.pending` that cannot become a state, although they name a call whose caller waits. Pure.
///
/// **Contract.** Such a call ends with an error, at once. The worker that owns the call publishes the error only if the
/// call waits for the record's handle. So a wrong record ends no other call.
final class UnusablePending {
    private UnusablePending() {}

    /// Returns the call of a record, with the fields that its end needs; empty if the record does not name both a call
    /// and its handle.
    ///
    /// @param callPartitions of group A: the answer must go to one of these partitions
    static Optional<PendingCall> read(byte[] value, int callPartitions, Instant now) {
        try {
            JsonNode record = Json.MAPPER.readTree(value);
            String handle = record.path("handle").asString("");
            int partition = record.path("partition").asInt(-1);
            long offset = record.path("callOffset").asLong(-1);
            if (handle.isBlank() || partition < 0 || partition >= callPartitions || offset < 0)
                return Optional.empty();
            ToolCall call = Json.MAPPER.treeToValue(record.path("call"), ToolCall.class);
            if (call == null)
                return Optional.empty();
            PendingCall.Kind kind = switch (record.path("kind").asString("")) {
                case "approval" -> PendingCall.Kind.APPROVAL;
                case "authorization" -> PendingCall.Kind.AUTHORIZATION;
                default -> PendingCall.Kind.ASYNC;
            };
            return Optional.of(new PendingCall(handle, kind, call.bare(), partition, offset, null, null, now, null,
                    null, now, origin(record.path("origin"))));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /// Reads the origin, which only affects the form of the result.
    private static @Nullable CallOrigin origin(JsonNode origin) {
        try {
            return origin.isObject() ? Json.MAPPER.treeToValue(origin, CallOrigin.class) : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    /// Ends such a call. The record may lie under the key of another handle, or in front of the call that holds the
    /// handle. That handle's call goes on, and `tool.pending` shows it again.
    ///
    /// @param state of the handle that the record's key names
    static HandleLifecycle.Transition end(HandleLifecycle state, HandleEffect.Outcome end) {
        CallPlace place = CallPlace.of(end.call());
        return switch (state) {
            case PendingHandle open when CallPlace.of(open.call()).equals(place) ->
                HandleLifecycle.Transition.of(open, new HandleEffect.WriteAgain(open.call()));
            case PendingHandle open ->
                HandleLifecycle.Transition.of(open, new HandleEffect.WriteAgain(open.call()), end);
            case UnreadableHandle unreadable when unreadable.kept() != null
                    && CallPlace.of(unreadable.kept()).equals(place) ->
                HandleLifecycle.Transition.of(unreadable, new HandleEffect.WriteAgain(unreadable.kept()));
            case UnreadableHandle unreadable when unreadable.kept() != null ->
                HandleLifecycle.Transition.of(unreadable, new HandleEffect.WriteAgain(unreadable.kept()), end);
            case EndedHandle ended when ended.call().equals(place) ->
                HandleLifecycle.Transition.of(ended, new HandleEffect.Tombstone());
            case EndedHandle _,EarlyHandle _,UnknownHandle _,UnreadableHandle _ ->
                HandleLifecycle.Transition.of(state, end, new HandleEffect.Tombstone());
        };
    }
}
