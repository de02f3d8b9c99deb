package dev.toolfleet.bench.gateway;

/// Way of a client to the fleet. Thread-safe.
interface Door extends AutoCloseable {
    /// Its name in tables.
    String name();

    /// Calls, and waits for the result.
    ///
    /// @return true if the result is the one of this call
    boolean call(Load load) throws InterruptedException;

    @Override
    void close();

    /// A call.
    ///
    /// @param number names it; no other call of the run has it
    /// @param text its argument, which the result repeats
    record Load(int number, String text) {
        private static final int INSTANCES = 500;

        String id() {
            return "call-" + number;
        }

        String instance() {
            return "instance-" + number % INSTANCES;
        }
    }
}
