package dev.toolfleet.cli.command;

import java.util.concurrent.Callable;

import dev.toolfleet.cli.terminal.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// In the place of a command that starts a broker of its own, where there is none.
@Command(hidden = true)
final class NeedsBrokerCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    /// Puts it under this name, with whatever arguments.
    static void addTo(CommandLine root, String name) {
        root.addSubcommand(name, new CommandLine(new NeedsBrokerCommand()).setUnmatchedArgumentsAllowed(true));
    }

    @Override
    public Integer call() {
        throw Failure.invalid((spec == null ? "this" : spec.qualifiedName())
                + " starts a broker of its own, and this installation has none; use the executable jar toolfleet.jar");
    }
}
