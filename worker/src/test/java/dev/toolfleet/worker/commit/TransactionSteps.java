package dev.toolfleet.worker.commit;

/// Drives a transaction loop step by step, for a simulation that has no threads of its own.
public final class TransactionSteps {
    private TransactionSteps() {}

    /// Takes the transactional ids.
    public static void ready(TransactionLoop loop) {
        loop.ready();
    }

    /// Does what can be done now; false when it is to be tried again a little later.
    public static boolean step(TransactionLoop loop) {
        return loop.step();
    }

    /// Returns the longest wait of the next step for an event, if the loop has no work for `idle`.
    public static long patienceMillis(TransactionLoop loop, long idle) {
        long patience = loop.patienceMillis();
        return patience == TransactionLoop.IDLE_MILLIS ? idle : patience;
    }

    /// True if an event has come that the loop has not handled.
    public static boolean hasNews(TransactionLoop loop) {
        return !loop.inbox.isEmpty();
    }
}
