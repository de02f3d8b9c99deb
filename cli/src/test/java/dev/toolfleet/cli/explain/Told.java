package dev.toolfleet.cli.explain;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.command.CommandContext;
import dev.toolfleet.cli.command.ToolfleetCommand;
import dev.toolfleet.cli.terminal.Terminal;

/// A command line against a fleet, and what it said.
///
/// @param always arguments of every command
record Told(StringWriter out, StringWriter err, List<String> always) {
    static Told by(String... always) {
        return new Told(new StringWriter(), new StringWriter(), List.of(always));
    }

    int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(always);
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, false, 200);
        int code = ToolfleetCommand.run(new CommandContext(terminal, Map.of()), all.toArray(String[]::new));
        terminal.out().flush();
        terminal.err().flush();
        return code;
    }
}
