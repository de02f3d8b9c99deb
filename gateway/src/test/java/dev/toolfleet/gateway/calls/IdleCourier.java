package dev.toolfleet.gateway.calls;

import java.util.Optional;

import dev.toolfleet.wire.Callback;

/// Courier that never has room.
public final class IdleCourier implements Courier {
    @Override
    public Optional<Room> room(Callback callback, int bytes) {
        return Optional.empty();
    }

    @Override
    public void open(int partition, long deliveries) {
        // Nothing is counted.
    }

    @Override
    public void gaveUp(Delivery delivery, String reason) {
        throw new AssertionError("given up without an attempt: " + reason);
    }
}
