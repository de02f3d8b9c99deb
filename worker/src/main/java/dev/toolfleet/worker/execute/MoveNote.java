package dev.toolfleet.worker.execute;

/// Note that a call which may run twice runs on while its partition moves: the next owner waits for its end instead of
/// running it again from the start.
///
/// **Threads.** The poll thread writes it, the handler's thread or the watcher of a handler that was given up ends it.
/// One of the two is first: what is written is known to whoever makes the call's result, which deletes it.
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

    /// The partition is about to move. Does not wait; does nothing after [#ended].
    void write();

    /// Whether it is committed.
    boolean isWritten();

    /// The handler has ended or was given up: nothing is written any more.
    void ended();
}
