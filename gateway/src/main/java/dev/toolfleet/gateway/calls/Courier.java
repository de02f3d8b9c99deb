package dev.toolfleet.gateway.calls;

import java.util.Optional;
import java.util.function.Consumer;

import dev.toolfleet.wire.Callback;

/// Sender of deliveries.
///
/// **Contract.** No method blocks. A room that was returned must be used. Each delivery ends with one outcome, unless the
/// process ends before.
///
/// **Threads.** Thread-safe. Outcomes arrive on threads of the courier.
public interface Courier {
    /// Place of one delivery among those under way.
    @FunctionalInterface
    interface Room {
        /// Begins an attempt.
        void send(Delivery delivery, Consumer<Delivery.Outcome> ended);
    }

    /// Reserves a place; empty when there is none at present, for this receiver or for all.
    ///
    /// @param bytes the size of the body
    Optional<Room> room(Callback callback, int bytes);

    /// Notes the number of open deliveries of a partition of this process; 0 when it has moved.
    void open(int partition, long deliveries);

    /// Notes that a delivery was given up.
    ///
    /// @param reason a clause without the URL
    void gaveUp(Delivery delivery, String reason);
}
