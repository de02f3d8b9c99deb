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
/// **Why.** Otherwise: the state counts as [UnknownHandle], its deadline is dropped from the index, the next event overwrites
/// its bytes, and the call never ends.
///
/// @param kept the call in the store; null if there is none, or it cannot be read either
record UnreadableHandle(@Nullable PendingCall kept) implements HandleLifecycle {
    @Override
    public Transition pended(PendingCall call, DecisionContext at) {
        if (kept == null)
            return Transition.of(this, PendingOutcomes.unreadable(call), new HandleEffect.Tombstone());
        return kept.isOf(call) ? Transition.of(this) : ofThis(PendingHandle.begin(kept, at).pended(call, at));
    }

    @Override
    public Transition told(HandleMessage told, DecisionContext at) {
        return switch (told) {
            case HandleMessage.Report said when kept != null && kept.kind() == PendingCall.Kind.ASYNC
                    && said.completion().kind() != Completion.Kind.PROGRESS ->
                ofThis(PendingHandle.begin(kept, at).told(told, at));
            case HandleMessage.Cancellation _ when kept != null -> ofThis(PendingHandle.begin(kept, at).told(told, at));
            case HandleMessage.Report said when said.completion().kind() == Completion.Kind.PROGRESS ->
                Transition.of(this);
            case HandleMessage.Report _,HandleMessage.Cancellation _,HandleMessage.Decided _ ->
                Transition.of(this, new HandleEffect.Letter(told.raw(), DeadLetterReason.UNREADABLE_STATE));
        };
    }

    @Override
    public Transition answered(ModuleAnswer answer, DecisionContext at) {
        return Transition.of(this);
    }

    /// True if this version acts on an entry of the index; it leaves every other one for the version that wrote it.
    boolean actsOn(HandleTimer due) {
        return switch (due.what()) {
            case DEADLINE -> kept != null;
            case FORGET -> true;
            case HEARTBEAT, QUESTION, TELL -> false;
        };
    }

    @Override
    public Transition due(HandleTimer due, DecisionContext at) {
        if (due.what() == HandleTimer.Effect.FORGET)
            return Transition.of(UnknownHandle.HANDLE);
        return due.what() == HandleTimer.Effect.DEADLINE && kept != null
                ? ofThis(PendingHandle.begin(kept, at).due(due, at))
                : Transition.of(this);
    }

    /// Returns the step of a state that stands for this one: only an end replaces the bytes.
    private Transition ofThis(Transition step) {
        return step.next() instanceof EndedHandle ? step : new Transition(this, step.effects());
    }

    /// Not known. Entries of the index are dropped if they are due after the end.
    @Override
    public Set<HandleTimer> dues() {
        return Set.of();
    }

    @Override
    public boolean keepsCall() {
        return kept != null;
    }
}
