package dev.toolfleet.mcp.client;

/// Listener to the progress of a call. Its method must return at once: the connection reads nothing meanwhile.
@FunctionalInterface
public interface ProgressListener {
    /// A listener that ignores everything, and for which no progress is wanted.
    ProgressListener NONE = progress -> {};

    /// Learns of progress.
    void progressed(ServerProgress progress);
}
