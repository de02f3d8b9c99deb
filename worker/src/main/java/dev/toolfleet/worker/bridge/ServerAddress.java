package dev.toolfleet.worker.bridge;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Address of an MCP server: all that a connection to it needs. Uses with equal addresses share one connection. Holds
/// secrets, so it is never logged.
sealed interface ServerAddress {
    /// Returns the longest wait for the answer to the opening, and to a request of the list of tools.
    Duration startTimeout();

    /// Server that the worker starts in the sandbox, and with which it speaks over the standard streams.
    ///
    /// @param line the program and its arguments
    /// @param env its variables beside the usual ones
    /// @param folder its folder, the only one that it may write: a name in the workspace, or the path of an instance's
    record Program(List<String> line, Map<String, String> env, String folder, Duration startTimeout)
            implements
                ServerAddress {
        /// Copies the line and the variables.
        public Program {
            line = List.copyOf(line);
            env = Map.copyOf(env);
        }

        /// Returns the same program with another folder.
        ///
        /// @param own an instance's
        Program in(Path own) {
            return new Program(line, env, own.toString(), startTimeout);
        }

        @Override
        public String toString() {
            return "program " + line.getFirst();
        }
    }

    /// Server that runs elsewhere.
    ///
    /// @param url the endpoint
    /// @param headers headers of each request
    record Web(URI url, Map<String, String> headers, Duration startTimeout) implements ServerAddress {
        /// Copies the headers.
        public Web {
            headers = Map.copyOf(headers);
        }

        @Override
        public String toString() {
            return "server at " + url.getHost();
        }
    }
}
