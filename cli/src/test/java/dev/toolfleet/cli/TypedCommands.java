package dev.toolfleet.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.toolfleet.cli.command.CommandContext;
import dev.toolfleet.cli.command.ToolfleetCommand;
import dev.toolfleet.cli.terminal.Terminal;

/// Command lines that a test types, and the output of the last one.
///
/// @param width of the terminal
/// @param options behind the arguments of every command
public record TypedCommands(StringWriter out, StringWriter err, int width, List<String> options) {
    /// Types into a terminal of that width.
    public static TypedCommands of(int width, String... options) {
        return new TypedCommands(new StringWriter(), new StringWriter(), width, List.of(options));
    }

    /// Returns the same terminal with other options.
    public TypedCommands with(String... others) {
        return new TypedCommands(out, err, width, List.of(others));
    }

    /// Returns the terminal, which is not interactive.
    public Terminal terminal() {
        return new Terminal(new PrintWriter(out), new PrintWriter(err), false, false, width);
    }

    /// Runs a command and returns its exit code.
    public int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        Terminal terminal = terminal();
        int code = ToolfleetCommand.run(new CommandContext(terminal, Map.of()),
                Stream.concat(Stream.of(arguments), options.stream()).toArray(String[]::new));
        terminal.out().flush();
        terminal.err().flush();
        return code;
    }
}
