package dev.toolfleet.mcp.server;

import org.jspecify.annotations.Nullable;

/// Way from the work for a request to its client.
///
/// **Threads.** Any.
public interface CallControl {
    /// Reports progress, if the client wants it. The number that is sent always rises; newer progress takes the place of
    /// what was not sent yet.
    ///
    /// @param total the number at the end; null if it is not known
    /// @param message a sentence for people; empty for none
    void progress(double progress, @Nullable Double total, String message);

    /// False once no client waits for the answer: it has cancelled, or has gone. A client that has gone without a wish to
    /// cancel (legacy) ends the wait and not the work.
    boolean isWanted();

    /// Runs something when the client cancels; at once if it has.
    void onCancel(Runnable action);
}
