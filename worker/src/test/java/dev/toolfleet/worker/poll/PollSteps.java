package dev.toolfleet.worker.poll;

/// Drives a poll loop turn by turn, for a simulation that has no threads of its own.
public final class PollSteps {
    private PollSteps() {}

    /// Joins the group.
    public static void subscribe(PollLoop loop) {
        loop.subscribe();
    }

    /// Does one turn.
    public static void turn(PollLoop loop) {
        loop.turn();
    }
}
