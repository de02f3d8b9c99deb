package dev.toolfleet.gateway.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

import dev.toolfleet.gateway.calls.Courier;
import dev.toolfleet.gateway.calls.Delivery;
import dev.toolfleet.wire.Callback;

/// Courier that holds deliveries until the test ends them.
final class QueueCourier implements Courier {
    final List<Attempt> attempts = new ArrayList<>();
    final List<String> gaveUp = new ArrayList<>();
    final Map<Integer, Long> open = new HashMap<>();
    Predicate<Callback> hasRoom = _ -> true;

    /// Attempt that has not ended.
    record Attempt(Delivery delivery, Consumer<Delivery.Outcome> ended) {}

    @Override
    public Optional<Room> room(Callback callback, int bytes) {
        return hasRoom.test(callback)
                ? Optional.of((delivery, ended) -> attempts.add(new Attempt(delivery, ended)))
                : Optional.empty();
    }

    /// Ends all attempts alike.
    void end(Delivery.Outcome outcome) {
        List<Attempt> ending = List.copyOf(attempts);
        attempts.clear();
        ending.forEach(attempt -> attempt.ended().accept(outcome));
    }

    @Override
    public void open(int partition, long deliveries) {
        open.put(partition, deliveries);
    }

    @Override
    public void gaveUp(Delivery delivery, String reason) {
        gaveUp.add(reason);
    }
}
