package dev.toolfleet.worker.limit;

/// Right of one call to run, which takes one of its tool's slots. Thread-safe: the thread that abandons a handler
/// closes the permit, and the handler's own thread closes it again.
public interface Permit extends AutoCloseable {
    /// Permit of a tool without limits.
    Permit NONE = new Permit() {
        @Override
        public void ended(BreakerSignal ending) {}

        @Override
        public boolean heldWhilePending() {
            return false;
        }

        @Override
        public void close() {}
    };

    /// Reports the handler's end to the circuit breaker; only the first report counts.
    void ended(BreakerSignal ending);

    /// True if the slot stays taken while the call waits for its handle.
    boolean heldWhilePending();

    /// Frees the slot, once, however often it is called.
    @Override
    void close();
}
