package dev.toolfleet.cli.command;

import java.util.Optional;

import dev.toolfleet.cli.handle.HandleViewer;
import dev.toolfleet.cli.terminal.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "handles", header = "Shows the calls that finish later: those that are open, or what became of one.", description = {
        "",
        "Without a HANDLE: the open ones, the oldest first, with age, deadline and when something was last heard of"
                + " the work. With one: all that is known of it, its final result included.",
        "",
        "It reads the fleet's topics and needs no worker: one handle costs reading one partition of tool.pending,"
                + " the list costs all of it, which holds what became pending within about a week."}, footer = {"",
                        "Examples:",
                        "  toolfleet handles --bootstrap broker:9092",
                        "  toolfleet handles --instance telegram:123 --json",
                        "  toolfleet handles build-4711", "",
                        "Exit codes: 0 success, 1 the handle is unknown or the topics cannot be read, 2 usage."})
final class HandlesCommand extends FleetCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "HANDLE", description = "The handle of a pending call.")
    private @Nullable String handle;

    @Option(names = "--instance", paramLabel = "KEY", description = "Lists only the handles of this instance.")
    private @Nullable String instance;

    @Option(names = "--json", description = "Prints JSON, a list as one object a line.")
    private boolean json;

    HandlesCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        if (handle != null && instance != null)
            throw Failure.invalid("--instance narrows the list; leave it out, or the handle '" + handle + "'");
        HandleViewer handles = new HandleViewer(fleet());
        return handle == null ? handles.list(Optional.ofNullable(instance), json) : handles.show(handle, json);
    }
}
