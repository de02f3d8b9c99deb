package dev.toolfleet.worker.poll;

/// Drives a resumed loop turn by turn, for a simulation that has no threads of its own.
public final class ResumedSteps {
    private ResumedSteps() {}

    /// Does one turn.
    public static void turn(ResumedLoop loop) throws InterruptedException {
        loop.turn();
    }
}
