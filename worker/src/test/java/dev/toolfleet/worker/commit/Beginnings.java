package dev.toolfleet.worker.commit;

/// Beginnings of assignments whose frontiers are not journaled.
public final class Beginnings {
    private Beginnings() {}

    /// At these offsets.
    public static AssignmentStart of(DoneOffsets calls, DoneOffsets resumed) {
        return new AssignmentStart(calls, resumed, new FrontierNotes(0, null, 0, (partition, frontier) -> {
            throw new IllegalStateException("nothing is journaled");
        }, System::nanoTime), false, false);
    }
}
