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

    /// Whether the next step has something to do even without news.
    public static boolean hasWork(TransactionLoop loop) {
        return loop.hasWork();
    }

    /// Whether something has come that the loop has not handled.
    public static boolean hasNews(TransactionLoop loop) {
        return !loop.inbox.isEmpty();
    }
}
