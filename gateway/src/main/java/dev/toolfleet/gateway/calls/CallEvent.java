package dev.toolfleet.gateway.calls;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// Event of a call. `accepted` is the first, `result` the last. Its JSON has its kind as `event`.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({@JsonSubTypes.Type(value = CallEvent.Accepted.class, name = "accepted"),
        @JsonSubTypes.Type(value = CallEvent.Progress.class, name = "progress"),
        @JsonSubTypes.Type(value = CallEvent.Pending.class, name = "pending"),
        @JsonSubTypes.Type(value = CallEvent.Result.class, name = "result")})
public sealed interface CallEvent {
    /// Id with which a reader resumes behind this event.
    EventId id();

    /// The broker's time of its record.
    Instant at();

    /// The call is durable.
    record Accepted(EventId id, Instant at, ToolCall call) implements CallEvent {}

    /// The call reports progress. Progress may get lost, and only the latest reports of a call are kept.
    record Progress(EventId id, Instant at, ToolProgress progress) implements CallEvent {}

    /// The call waits.
    ///
    /// @param result the pending result, with its handle
    /// @param waitsFor absent when the wait has ended, or is not read yet
    record Pending(EventId id, Instant at, ToolResult result, @Nullable CallWait waitsFor) implements CallEvent {}

    /// The call has ended.
    record Result(EventId id, Instant at, ToolResult result) implements CallEvent {}
}
