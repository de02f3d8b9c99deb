package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import dev.toolfleet.worker.egress.EgressRules;

/// The way out of the walls for commands that have no network but their own loopback. A program behind the walls
/// listens there, and leads connections to the Unix-domain socket of the worker's proxy, which decides on each
/// destination.
///
/// **Why.** A worker that is not root cannot enter the namespaces of a command: `setns` of a user namespace takes a
/// process with one thread. So the listener has to be made behind the walls, by a program that every system has. It is
/// as weak as the command, which may reach the socket itself.
///
/// **Why.** A worker that is not root cannot enter the namespaces of a command: `setns` of a user namespace takes a process
/// with one thread. So the listener has to be made behind the walls, by a program that every system has. It is as weak as
/// the command, which may reach the socket itself.
///
/// @param perl where the program that runs it is
/// @param rules of the proxies
record Forwarder(Path perl, EgressRules rules) {
    /// Path of the proxy's socket behind the walls.
    static final String SOCKET = "/.egress";
    /// Prefix of its output if it could not start.
    static final String SAYS = "egress: ";
    /// Its exit status then.
    static final int FAILED = 125;
    /// Processes that it takes while a command starts: itself, and for a moment the one between it and the command.
    static final int PROCESSES = 2;
    private static final int PORT = 3128;
    private static final String PROXY = "http://127.0.0.1:" + PORT;
    private static final String NO_PROXY = "localhost,127.0.0.1,::1";

    private static final class Script {
        private static final String TEXT = read();

        private Script() {}

        private static String read() {
            try (InputStream in = Objects.requireNonNull(Forwarder.class.getResourceAsStream("forwarder.pl"))) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Returns the beginning of a command line: it starts the rest. It stands behind the limits. Otherwise: a command
    /// writes into the memory of a program of its own user that has none.
    List<String> before() {
        return List.of(perl.toString(), "-e", Script.TEXT, Integer.toString(PORT), SOCKET);
    }

    /// The variables by which clients find it, below those of the call.
    static Map<String, String> variables(Map<String, String> call) {
        Map<String, String> all = new TreeMap<>(Map.of("HTTP_PROXY", PROXY, "HTTPS_PROXY", PROXY, "NO_PROXY", NO_PROXY,
                "http_proxy", PROXY, "https_proxy", PROXY, "no_proxy", NO_PROXY));
        all.putAll(call);
        return all;
    }
}
