package dev.toolfleet.mcp.server;

import dev.toolfleet.mcp.protocol.TaskSnapshot;

/// Way of changes to a client that listens. Its methods return at once, and changes that were not sent yet are merged.
///
/// **Threads.** Any.
public interface ChangeSink {
    /// Reports that the list of tools has changed.
    void toolsChanged();

    /// Reports the state of a task.
    void taskChanged(TaskSnapshot task);
}
