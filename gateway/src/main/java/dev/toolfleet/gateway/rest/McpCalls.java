package dev.toolfleet.gateway.rest;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.client.SentCall;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.gateway.calls.CallEvent;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.mcp.server.CallControl;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// Calls of MCP clients, from the record to the first result.
///
/// **Contract.** A call with an idempotency key that the read model knows is not sent again. From the moment in which the
/// broker has the call, no failure of this gateway ends the wait: the read model is asked again until the client goes.
/// A cancellation is written once the broker has the call. Otherwise: a cancellation without a step holds for earlier
/// calls only, and the call runs.
///
/// **Threads.** The virtual thread of the request; a cancellation comes from another.
final class McpCalls {
    /// The time in which a result comes straight from the topic; later ones come with progress, from the read model.
    private static final Duration QUICK = Duration.ofSeconds(1);
    /// The wait of one look: between two, a client that has gone is noticed.
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final double ALL_PERCENT = 100;

    private final FleetWriter fleet;
    private final KnownCalls calls;

    McpCalls(FleetWriter fleet, KnownCalls calls) {
        this.fleet = fleet;
        this.calls = calls;
    }

    /// Call and its result, pending or final; null for none yet.
    record Outcome(CallId id, @Nullable ToolResult result) {}

    /// Makes a call and waits for its first result.
    ///
    /// @param isRepeatable true if the client chose the key, so that an earlier request may have made the call
    /// @param patience the longest wait; zero returns once the broker has the call, null waits until the client goes
    Outcome call(McpCaller caller, ToolCall call, boolean isRepeatable, @Nullable Duration patience,
            CallControl control) throws InterruptedException {
        long until = patience == null ? Long.MAX_VALUE : System.nanoTime() + patience.toNanos();
        if (isRepeatable) {
            Optional<CallId> earlier = calls.first(call);
            if (earlier.isPresent())
                return repeat(caller, call, earlier.get(), until, control);
        }
        FleetWriter.SentRequest request = fleet.call(call, QUICK, caller.traceparent(), null);
        SentCall at = Stages.sent(request.sent(), "the call");
        CallId id = new CallId(at.partition(), at.offset());
        control.onCancel(() -> cancel(caller, call));
        if (patience != null && patience.isZero())
            return new Outcome(id, null);
        ToolResult result = first(request);
        if (result == null)
            return follow(id, null, control, false, until);
        if (CallAnswers.isConflict(result))
            throw CallAnswers.conflict(call);
        return new Outcome(result.replayed() ? calls.first(call).orElse(id) : id, result);
    }

    private Outcome repeat(McpCaller caller, ToolCall call, CallId earlier, long until, CallControl control)
            throws InterruptedException {
        ToolCall made = calls.awaited(earlier, Duration.ZERO).call();
        if (!isSame(made, call))
            throw CallAnswers.conflict(call);
        control.onCancel(() -> cancel(caller, made));
        return follow(earlier, null, control, false, until);
    }

    /// True if both calls have the same tool and the same arguments.
    static boolean isSame(ToolCall call, ToolCall other) {
        return Fingerprint.of(call.name(), call.args()).equals(Fingerprint.of(other.name(), other.args()));
    }

    /// Waits for what comes after an event of a call that waited then.
    Outcome goOn(McpCaller caller, CallView view, CallControl control) throws InterruptedException {
        control.onCancel(() -> cancel(caller, view.call()));
        return follow(view.id(), view.at(), control, false, Long.MAX_VALUE);
    }

    /// Waits for the final result of a call that the caller may see.
    Outcome await(McpCaller caller, McpAwait wish, CallControl control) throws InterruptedException {
        CallView view = calls.leading(calls.get(wish.call(), caller.principal()));
        if (view.result() != null)
            return new Outcome(view.id(), view.result());
        Outcome outcome = follow(view.id(), null, control, true, System.nanoTime() + wish.patience().toNanos());
        return outcome.result() == null ? new Outcome(view.id(), view.pending()) : outcome;
    }

    /// Cancels the calls of an id that were made before.
    void cancel(McpCaller caller, String instance, String callId, String reason) {
        var _ = fleet.cancel(new CancelCall(instance, callId, null, null, caller.by(), reason, caller.agent(), null));
    }

    private void cancel(McpCaller caller, ToolCall call) {
        cancel(caller, call.instanceKey(), call.id(), "The MCP client has cancelled the request.");
    }

    private static @Nullable ToolResult first(FleetWriter.SentRequest request) {
        try {
            return Stages.within(request.first(), QUICK);
        } catch (ToolFleetClientException e) {
            return null;
        }
    }

    /// Follows a call to its first result, or to its final one.
    ///
    /// @param after the last event that was seen; null for none
    private Outcome follow(CallId id, @Nullable EventId after, CallControl control, boolean toTheEnd, long until)
            throws InterruptedException {
        EventId last = after;
        while (control.isWanted()) {
            Duration left = until == Long.MAX_VALUE ? LOOK : Duration.ofNanos(Math.max(0, until - System.nanoTime()));
            CallEvents events = events(id, last, left.compareTo(LOOK) < 0 ? left : LOOK);
            for (CallEvent event : events.events()) {
                last = event.id();
                switch (event) {
                    case CallEvent.Accepted _ -> {
                        // The call waits in its lane, or runs.
                    }
                    case CallEvent.Progress progress -> report(progress.progress().progress(), control);
                    case CallEvent.Pending pending when !toTheEnd -> {
                        return new Outcome(id, pending.result());
                    }
                    case CallEvent.Pending _ -> {
                        // Its final result is awaited.
                    }
                    case CallEvent.Result result -> {
                        return new Outcome(id, result.result());
                    }
                }
            }
            if (left.isZero())
                break;
        }
        return new Outcome(id, null);
    }

    private CallEvents events(CallId id, @Nullable EventId last, Duration wait) throws InterruptedException {
        try {
            return calls.events(id, last, wait);
        } catch (ProblemException e) {
            // The call is durable: another replica, or this one a second later, can read it.
            Thread.sleep(PAUSE);
            return new CallEvents(List.of(), false);
        }
    }

    private static void report(@Nullable Progress progress, CallControl control) {
        Double percent = progress == null ? null : progress.percent();
        String message = progress == null ? null : progress.message();
        control.progress(percent == null ? 0 : percent, percent == null ? null : ALL_PERCENT,
                message == null ? "" : message);
    }
}
