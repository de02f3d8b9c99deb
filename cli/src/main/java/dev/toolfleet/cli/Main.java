package dev.toolfleet.cli;

import dev.toolfleet.cli.command.CommandContext;
import dev.toolfleet.cli.command.ToolfleetCommand;
import dev.toolfleet.cli.terminal.Terminal;

/// Main class of the executable jar.
public final class Main {
    private Main() {}

    /// Runs the command line and ends the JVM with its exit code.
    public static void main(String[] arguments) {
        var environment = System.getenv();
        System.exit(ToolfleetCommand.run(new CommandContext(Terminal.system(environment), environment), arguments));
    }
}
