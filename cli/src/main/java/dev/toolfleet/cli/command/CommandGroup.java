package dev.toolfleet.cli.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Command that does nothing without one of its subcommands.
abstract class CommandGroup implements Runnable {
    private final CommandContext context;
    private final String question;

    @Spec
    private @Nullable CommandSpec spec;

    /// @param question shown when no subcommand is named; it lists them
    CommandGroup(CommandContext context, String question) {
        this.context = context;
        this.question = question;
    }

    final CommandContext context() {
        return context;
    }

    @Override
    public final void run() {
        throw new ParameterException(spec == null ? new CommandLine(this) : spec.commandLine(), question);
    }
}
