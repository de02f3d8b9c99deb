package dev.toolfleet.worker.limit;

/// The right of one call to run, which takes one of its tool's slots. Thread-safe: whoever gives up on a handler closes
/// the permit, and the handler's own thread does it again.
public interface Permit extends AutoCloseable {
    /// Of a tool without limits.
    Permit NONE = new Permit() {
        @Override
        public void ended(Ending ending) {}

        @Override
        public boolean heldWhilePending() {
            return false;
        }

        @Override
        public void close() {}
    };

    /// How the handler ended, for the circuit breaker; only the first word counts.
    void ended(Ending ending);

    /// Whether the slot stays taken while the call waits for its handle.
    boolean heldWhilePending();

    /// Frees the slot, once, however often it is called.
    @Override
    void close();
}
