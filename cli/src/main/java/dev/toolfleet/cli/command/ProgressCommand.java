package dev.toolfleet.cli.command;

import java.time.Duration;

import dev.toolfleet.cli.handle.CallCompleter;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Progress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "progress", header = "Says how far the work of a pending call is, as its tool would.", description = {
        "",
        "It appears on tool.progress, and keeps a call alive that expires when it is silent."}, footer = {"",
                "Examples:",
                "  toolfleet progress build-4711 --percent 40",
                "  toolfleet progress build-4711 --percent 80 --message \"running the tests\" --token \"$TOKEN\"", "",
                "Exit codes: 0 it was sent, 1 the handle had ended, 2 the input is invalid."})
final class ProgressCommand extends FleetCommand {
    @Parameters(index = "0", paramLabel = "HANDLE", description = "The handle of the pending call.")
    private String handle = "";

    @Option(names = "--percent", paramLabel = "N", description = "From 0 to 100.")
    private @Nullable Double percent;

    @Option(names = "--message", paramLabel = "M", description = "What is being done, for people.")
    private @Nullable String message;

    @Option(names = "--token", paramLabel = "T", description = "What the call demands of its completions, if it does.")
    private @Nullable String token;

    ProgressCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (percent == null && message == null)
            throw Failure.invalid("say how far the work is, with --percent N, --message M or both");
        return new CallCompleter(fleet())
                .send(Completion.progress(handle, new Progress(percent, message), token), Duration.ZERO);
    }
}
