package dev.toolfleet.worker.completion;

import java.util.Set;

import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import org.jspecify.annotations.Nullable;

/// State of a handle that another version of the fleet wrote, as after a rollback. Its bytes stay in the store until
/// the call ends, so that the other version goes on where it was.
///
/// **Contract.** The call of a handle is stored apart, in the form of its wire record, which every version can read.
/// From it alone follow the deadline, a cancellation, and the end that the work itself reports. An approval is not
/// decided by it: the other version may require more than this one knows. A record that cannot be judged becomes a dead
/// letter. An operator may replay it once the other version runs again.
///
/// **Why.** Otherwise: the state counts as [Unknown], its deadline is dropped from the index, the next event overwrites
/// its bytes, and the call never ends.
///
/// @param kept the call in the store; null if there is none, or it cannot be read either
record Unreadable(@Nullable PendingCall kept) implements HandleState {
    @Override
    public Step pended(PendingCall call, Moment at) {
        if (kept == null)
            return Step.of(this, Outcomes.unreadable(call), new Effect.Tombstone());
        return kept.isOf(call) ? Step.of(this) : ofThis(Open.begin(kept, at).pended(call, at));
    }

    @Override
    public Step told(Told told, Moment at) {
        return switch (told) {
            case Told.Said said when kept != null && kept.kind() == PendingCall.Kind.ASYNC
                    && said.completion().kind() != Completion.Kind.PROGRESS ->
                ofThis(Open.begin(kept, at).told(told, at));
            case Told.Unwanted _ when kept != null -> ofThis(Open.begin(kept, at).told(told, at));
            case Told.Said said when said.completion().kind() == Completion.Kind.PROGRESS -> Step.of(this);
            case Told.Said _,Told.Unwanted _,Told.Decided _ ->
                Step.of(this, new Effect.Letter(told.raw(), Refusal.UNREADABLE_STATE));
        };
    }

    @Override
    public Step answered(Answer answer, Moment at) {
        return Step.of(this);
    }

    /// True if this version acts on an entry of the index; it leaves every other one for the version that wrote it.
    boolean actsOn(Due due) {
        return switch (due.what()) {
            case DEADLINE -> kept != null;
            case FORGET -> true;
            case HEARTBEAT, QUESTION, TELL -> false;
        };
    }

    @Override
    public Step due(Due due, Moment at) {
        if (due.what() == Due.What.FORGET)
            return Step.of(Unknown.HANDLE);
        return due.what() == Due.What.DEADLINE && kept != null
                ? ofThis(Open.begin(kept, at).due(due, at))
                : Step.of(this);
    }

    /// Returns the step of a state that stands for this one: only an end replaces the bytes.
    private Step ofThis(Step step) {
        return step.next() instanceof Ended ? step : new Step(this, step.effects());
    }

    /// Not known. Entries of the index are dropped if they are due after the end.
    @Override
    public Set<Due> dues() {
        return Set.of();
    }

    @Override
    public boolean keepsCall() {
        return kept != null;
    }
}
