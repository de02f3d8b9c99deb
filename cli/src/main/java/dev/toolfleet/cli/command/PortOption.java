package dev.toolfleet.cli.command;

import dev.toolfleet.cli.terminal.Failure;

/// `--port` of commands with a broker of their own.
final class PortOption {
    private static final int HIGHEST = 65_535;

    private PortOption() {}

    /// The port as it was given.
    ///
    /// @throws Failure when there is no such port
    static int check(int port) {
        if (port < 0 || port > HIGHEST)
            throw Failure.invalid("--port is " + port + "; it must be 1 to " + HIGHEST + ", or 0 for a free one");
        return port;
    }
}
