package dev.toolfleet.worker.completion;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.PendingCall;
import org.jspecify.annotations.Nullable;

/// State of a handle whose call has its outcome. It is kept so that late records are known to be late, and no other
/// call takes the handle over.
///
/// @param how the kind of its end
/// @param at the time of its end
/// @param call its place
/// @param calledAt the broker's append time of that call: a `tool.call` that was made anew or truncated has other calls
/// at the same places. Null in states of earlier versions, and for a call whose pending record has no origin
/// @param tellDue the time at which its module is informed, or informed again if the first try has no answer; null when
/// it need not be
record EndedHandle(CallEnd how, Instant at, CallPlace call, @Nullable Instant calledAt,
        @Nullable Instant tellDue) implements HandleLifecycle {
    static final Duration KEPT = Duration.ofDays(7);

    /// Creates the end of this call.
    static EndedHandle of(PendingCall call, CallEnd how, Instant at, @Nullable Instant tellDue) {
        return new EndedHandle(how, at, CallPlace.of(call), calledAt(call), tellDue);
    }

    private static @Nullable Instant calledAt(PendingCall call) {
        CallOrigin origin = call.origin();
        return origin == null ? null : origin.calledAt();
    }

    /// True for the call that ended: same place and, where both are known, same append time.
    private boolean isOf(PendingCall pending) {
        Instant other = calledAt(pending);
        return call.equals(CallPlace.of(pending)) && (calledAt == null || other == null || calledAt.equals(other));
    }

    @Override
    public Transition pended(PendingCall pending, DecisionContext at) {
        // The record that was just read lies behind the tombstone. Without another tombstone it would be the newest of
        // its key.
        return isOf(pending)
                ? Transition.of(this, new HandleEffect.Tombstone())
                : Transition.of(this, PendingOutcomes.conflict(pending), new HandleEffect.Tombstone());
    }

    @Override
    public Transition told(HandleMessage told, DecisionContext at) {
        return switch (told) {
            case HandleMessage.Report said ->
                Transition.of(this, new HandleEffect.Letter(said.raw(), DeadLetterReason.LATE));
            case HandleMessage.Decided decided ->
                Transition.of(this, new HandleEffect.Letter(decided.raw(), DeadLetterReason.LATE));
            case HandleMessage.Cancellation _ -> Transition.of(this);
        };
    }

    @Override
    public Transition answered(ModuleAnswer answer, DecisionContext at) {
        return answer instanceof ModuleAnswer.Informed(CallPlace told) && told.equals(call)
                ? Transition.of(new EndedHandle(how, this.at, call, calledAt, null))
                : Transition.of(this);
    }

    @Override
    public Transition due(HandleTimer due, DecisionContext at) {
        if (due.what() == HandleTimer.Effect.TELL) {
            return Transition.of(
                    new EndedHandle(how, this.at, call, calledAt,
                            HandleTimer.later(at.now(), PendingHandle.ANSWER_WITHIN)),
                    new HandleEffect.Tell(call));
        }
        return Transition.of(UnknownHandle.HANDLE);
    }

    @Override
    public Set<HandleTimer> dues() {
        Set<HandleTimer> dues = new HashSet<>();
        dues.add(HandleTimer.at(HandleTimer.later(at, KEPT), HandleTimer.Effect.FORGET));
        if (tellDue != null)
            dues.add(HandleTimer.at(tellDue, HandleTimer.Effect.TELL));
        return dues;
    }

    @Override
    public boolean keepsCall() {
        return tellDue != null;
    }
}
