package dev.toolfleet.cli.access;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

import dev.toolfleet.cli.command.CommandContext;
import dev.toolfleet.cli.command.ToolfleetCommand;
import dev.toolfleet.cli.terminal.Terminal;

import static org.assertj.core.api.Assertions.assertThat;

/// Commands that somebody types.
///
/// @param environment of who types
record Commands(Map<String, String> environment) {
    /// What came of one.
    record Outcome(int code, String out, String err) {}

    /// Runs a command that must succeed.
    String succeeds(String... arguments) {
        Outcome outcome = run(arguments);
        assertThat(outcome.code()).as(String.join(" ", arguments) + "\n" + outcome.out() + outcome.err()).isZero();
        return outcome.out();
    }

    Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, false, 120);
        int code = ToolfleetCommand.run(new CommandContext(terminal, environment), arguments);
        terminal.out().flush();
        terminal.err().flush();
        return new Outcome(code, out.toString(), err.toString());
    }
}
