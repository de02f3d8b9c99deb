package dev.toolfleet.worker.completion;

import dev.toolfleet.wire.PendingCall;

/// Place of a call on `tool.call`, which distinguishes it from every other call.
record CallPlace(int partition, long offset) {
    static CallPlace of(PendingCall call) {
        return new CallPlace(call.partition(), call.callOffset());
    }
}
