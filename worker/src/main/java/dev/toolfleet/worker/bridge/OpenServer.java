package dev.toolfleet.worker.bridge;

import java.time.Duration;

import dev.toolfleet.mcp.client.McpClient;

/// Connection to a server that is open, or was.
///
/// **Threads.** Calls use the client from any; the other methods belong to the thread of the [ServerLink].
interface OpenServer extends AutoCloseable {
    /// The time that a program has to end by itself once its input has ended, and again after SIGTERM.
    Duration GRACE = Duration.ofSeconds(1);

    McpClient client();

    /// True for a program of the worker, whose end the connection learns by itself. A server elsewhere may have ended
    /// when a request cannot be sent.
    boolean isProgram();

    /// Returns the last words of a program for people, as a clause that follows a reason; empty for none.
    String lastWords();

    /// Looks for new processes of a program.
    void look();

    /// Ends the connection, and the program with all its processes.
    @Override
    void close();
}
