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
record Ended(Ending how, Instant at, CallPlace call, @Nullable Instant calledAt,
        @Nullable Instant tellDue) implements HandleState {
    static final Duration KEPT = Duration.ofDays(7);

    /// Creates the end of this call.
    static Ended of(PendingCall call, Ending how, Instant at, @Nullable Instant tellDue) {
        return new Ended(how, at, CallPlace.of(call), calledAt(call), tellDue);
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
    public Step pended(PendingCall pending, Moment at) {
        // The record that was just read lies behind the tombstone. Without another tombstone it would be the newest of
        // its key.
        return isOf(pending)
                ? Step.of(this, new Effect.Tombstone())
                : Step.of(this, Outcomes.conflict(pending), new Effect.Tombstone());
    }

    @Override
    public Step told(Told told, Moment at) {
        return switch (told) {
            case Told.Said said -> Step.of(this, new Effect.Letter(said.raw(), Refusal.LATE));
            case Told.Decided decided -> Step.of(this, new Effect.Letter(decided.raw(), Refusal.LATE));
            case Told.Unwanted _ -> Step.of(this);
        };
    }

    @Override
    public Step answered(Answer answer, Moment at) {
        return answer instanceof Answer.Informed(CallPlace told) && told.equals(call)
                ? Step.of(new Ended(how, this.at, call, calledAt, null))
                : Step.of(this);
    }

    @Override
    public Step due(Due due, Moment at) {
        if (due.what() == Due.What.TELL) {
            return Step.of(new Ended(how, this.at, call, calledAt, Due.later(at.now(), Open.ANSWER_WITHIN)),
                    new Effect.Tell(call));
        }
        return Step.of(Unknown.HANDLE);
    }

    @Override
    public Set<Due> dues() {
        Set<Due> dues = new HashSet<>();
        dues.add(Due.at(Due.later(at, KEPT), Due.What.FORGET));
        if (tellDue != null)
            dues.add(Due.at(tellDue, Due.What.TELL));
        return dues;
    }

    @Override
    public boolean keepsCall() {
        return tellDue != null;
    }
}
