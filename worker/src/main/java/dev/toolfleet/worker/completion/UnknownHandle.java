package dev.toolfleet.worker.completion;

import java.util.List;
import java.util.Set;

import dev.toolfleet.wire.PendingCall;

/// State of a handle without any record, or whose records were removed.
record UnknownHandle() implements HandleLifecycle {
    static final UnknownHandle HANDLE = new UnknownHandle();

    @Override
    public HandleTransition pended(PendingCall call, DecisionContext at) {
        return HandleTransition.of(PendingHandle.begin(call, at));
    }

    @Override
    public HandleTransition told(HandleMessage told, DecisionContext at) {
        return HandleTransition.of(new EarlyHandle(at.now(), List.of(told.raw())));
    }

    @Override
    public HandleTransition answered(ModuleAnswer answer, DecisionContext at) {
        return HandleTransition.of(this);
    }

    @Override
    public HandleTransition due(HandleTimer due, DecisionContext at) {
        return HandleTransition.of(this);
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
