package dev.toolfleet.worker.execute;

/// Note that a repeatable call runs on while its partition moves: the next owner waits for its end instead of running
/// it again from the start.
///
/// **Threads.** The poll thread writes it. The handler's thread ends it, or the deadline thread for an abandoned
/// handler. The first of the two wins: the code that makes the call's result sees a written note, and the result
/// deletes it.
public interface MoveNote {
    /// A call that is never noted.
    MoveNote NONE = new MoveNote() {
        @Override
        public void write() {}

        @Override
        public boolean isWritten() {
            return false;
        }

        @Override
        public void ended() {}
    };

    /// Writes the note, because the partition is about to move. Does not wait; does nothing after [#ended].
    void write();

    /// True if it is committed.
    boolean isWritten();

    /// Ends the note: the handler has ended or was abandoned, and no note is written any more.
    void ended();
}
