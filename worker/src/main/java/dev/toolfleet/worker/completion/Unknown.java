package dev.toolfleet.worker.completion;

import java.util.List;
import java.util.Set;

import dev.toolfleet.wire.PendingCall;

/// State of a handle without any record, or whose records were removed.
record Unknown() implements HandleState {
    static final Unknown HANDLE = new Unknown();

    @Override
    public Step pended(PendingCall call, Moment at) {
        return Step.of(Open.begin(call, at));
    }

    @Override
    public Step told(Told told, Moment at) {
        return Step.of(new Early(at.now(), List.of(told.raw())));
    }

    @Override
    public Step answered(Answer answer, Moment at) {
        return Step.of(this);
    }

    @Override
    public Step due(Due due, Moment at) {
        return Step.of(this);
    }

    @Override
    public Set<Due> dues() {
        return Set.of();
    }

    @Override
    public boolean keepsCall() {
        return false;
    }
}
