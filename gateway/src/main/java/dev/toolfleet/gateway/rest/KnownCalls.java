package dev.toolfleet.gateway.rest;

import java.time.Duration;
import java.util.Optional;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;

/// Calls of the read model, for the requests of one principal. A call that the principal may not see is unknown to it.
public record KnownCalls(CallReads reads) {
    /// Reads the id in a path.
    public static CallId id(String text) {
        try {
            return CallId.parse(text);
        } catch (IllegalArgumentException e) {
            throw Refusals.invalid(e.getMessage() + ".");
        }
    }

    /// Returns the call that a principal may see.
    ///
    /// @throws ProblemException when there is none
    public CallView get(CallId id, Principal principal) {
        CallView view = view(id);
        ToolCall call = view.call();
        if (!principal.mayUse(call.instanceKey(), call.agentName()))
            throw unknown(id, "there is no such call");
        return view;
    }

    private CallView view(CallId id) {
        return switch (reads.find(id)) {
            case Answer.Found<CallView>(CallView view) -> view;
            case Answer.Unknown<CallView>(String reason) -> throw unknown(id, reason);
            case Answer.Unavailable<CallView>(String reason) -> throw Refusals.later(reason);
        };
    }

    private static ProblemException unknown(CallId id, String reason) {
        return Refusals.of(ProblemType.UNKNOWN_CALL, "No call '" + id + "' is known: " + reason + ".");
    }

    /// Returns the first call with the identity of this one; empty if none is known, also for a call that has no identity
    /// but its record.
    Optional<CallId> first(ToolCall call) {
        if (!CallIdentity.isNamed(call))
            return Optional.empty();
        return switch (reads.callOf(call.instanceKey(), CallIdentity.of(call, 0, 0))) {
            case Answer.Found<CallId>(CallId id) -> Optional.of(id);
            case Answer.Unknown<CallId> _ -> Optional.empty();
            case Answer.Unavailable<CallId>(String reason) -> throw Refusals.later(reason);
        };
    }

    /// Returns the call that has the final result. A duplicate whose first call waits gets the pending result, and no
    /// final one of its own.
    public CallView leading(CallView view) {
        if (view.result() != null || view.pending() == null || !view.pending().replayed())
            return view;
        Optional<CallId> first = first(view.call());
        return first.isEmpty() ? view : awaited(first.get(), Duration.ZERO);
    }

    /// Returns the cancellation of a call: of its open wait, if it has one.
    public static CancelCall cancellation(CallView view, @Nullable String by, @Nullable String reason) {
        ToolCall call = view.call();
        CancelCall cancel = new CancelCall(call.instanceKey(), call.id(), call.stepId(), null, by, reason,
                call.agentName(), call.turnId());
        return view.waitsFor() == null ? cancel : cancel.ofHandle(view.waitsFor().handle());
    }

    /// Returns the events behind `after`, after a wait for the first.
    public CallEvents events(CallId id, @Nullable EventId after, Duration wait) {
        return switch (reads.events(id, after, wait)) {
            case Answer.Found<CallEvents>(CallEvents events) -> events;
            case Answer.Unknown<CallEvents>(String reason) -> throw unknown(id, reason);
            case Answer.Unavailable<CallEvents>(String reason) -> throw Refusals.later(reason);
        };
    }

    /// Returns the call once it has a result, pending or final, or as it is when the time is over.
    CallView awaited(CallId id, Duration wait) {
        long until = System.nanoTime() + wait.toNanos();
        CallView view = view(id);
        while (view.result() == null && view.pending() == null) {
            Duration left = Duration.ofNanos(until - System.nanoTime());
            if (!left.isPositive())
                return view;
            events(id, view.at(), left.compareTo(CallReads.MAX_WAIT) < 0 ? left : CallReads.MAX_WAIT);
            view = view(id);
        }
        return view;
    }
}
