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

    /// How long the next step may wait for news, if the loop has nothing to do for `idle`.
    public static long patienceMillis(TransactionLoop loop, long idle) {
        long patience = loop.patienceMillis();
        return patience == TransactionLoop.IDLE_MILLIS ? idle : patience;
    }

    /// Whether something has come that the loop has not handled.
    public static boolean hasNews(TransactionLoop loop) {
        return !loop.inbox.isEmpty();
    }
}
