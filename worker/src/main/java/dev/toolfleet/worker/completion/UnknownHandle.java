package dev.toolfleet.worker.completion;

import java.util.List;
import java.util.Set;

import dev.toolfleet.wire.PendingCall;

/// State of a handle without any record, or whose records were removed.
record UnknownHandle() implements HandleLifecycle {
    static final UnknownHandle HANDLE = new UnknownHandle();

    @Override
    public Transition pended(PendingCall call, DecisionContext at) {
        return Transition.of(PendingHandle.begin(call, at));
    }

    @Override
    public Transition told(HandleMessage told, DecisionContext at) {
        return Transition.of(new EarlyHandle(at.now(), List.of(told.raw())));
    }

    @Override
    public Transition answered(ModuleAnswer answer, DecisionContext at) {
        return Transition.of(this);
    }

    @Override
    public Transition due(HandleTimer due, DecisionContext at) {
        return Transition.of(this);
    }

    @Override
    public Set<HandleTimer> dues() {
        return Set.of();
    }

    @Override
    public boolean keepsCall() {
        return false;
    }
}
