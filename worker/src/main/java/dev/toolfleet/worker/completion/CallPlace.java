package dev.toolfleet.worker.completion;

import dev.toolfleet.wire.PendingCall;

/// Where a call stands on `tool.call`: what tells one call from every other.
record CallPlace(int partition, long offset) {
    static CallPlace of(PendingCall call) {
        return new CallPlace(call.partition(), call.callOffset());
    }
}
