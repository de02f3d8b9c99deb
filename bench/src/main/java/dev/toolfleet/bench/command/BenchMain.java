package dev.toolfleet.bench.command;

import dev.toolfleet.cli.command.CommandContext;
import dev.toolfleet.cli.command.ToolfleetCommand;
import dev.toolfleet.cli.terminal.Terminal;

/// Main class of `toolfleet-bench.jar`, which stands behind `toolfleet.jar` on the class path.
public final class BenchMain {
    private BenchMain() {}

    /// Runs the command line, `bench drain` for example, and ends the JVM with its exit code.
    public static void main(String[] arguments) {
        var environment = System.getenv();
        System.exit(ToolfleetCommand.run(new CommandContext(Terminal.system(environment), environment),
                (root, context) -> root.addSubcommand(BenchCommand.withSubcommands(context)), arguments));
    }
}
