package dev.toolfleet.cli.command;

import java.time.Duration;
import java.util.Objects;

import dev.toolfleet.cli.handle.CallCanceller;
import dev.toolfleet.cli.handle.CancelTarget;
import dev.toolfleet.cli.terminal.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "cancel", header = "Ends calls that are no longer wanted, and shows the result of each.", description = {
        "",
        "One that waits for a HANDLE, or one of an instance by its id, or all calls of a step. Queued calls end"
                + " unstarted, running ones are interrupted, the work of pending ones is told; all end with"
                + " E_TOOL_CANCELLED. Cancelling what has ended changes nothing and says so. It holds for a day: with"
                + " --step also for calls that are still on their way.",
        "",
        "Models repeat their call ids. When an id means several calls, they are shown and nothing is cancelled; name"
                + " --step, --agent or --turn as well. Finding a call by its id reads the last day of tool.call and"
                + " tool.result."}, footer = {"", "Examples:",
                        "  toolfleet cancel build-4711 --reason \"wrong branch\"",
                        "  toolfleet cancel --instance telegram:123 --call call_abc",
                        "  toolfleet cancel --instance telegram:123 --step t-9-step-2 --by ada", "",
                        "Exit codes: 0 the calls have ended, now or before, or are still to come; 1 there is no such call,"
                                + " or it has not ended in time; 2 the input is invalid or means several calls."})
final class CancelCommand extends FleetCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "HANDLE", description = "The handle of a pending call.")
    private @Nullable String handle;

    @Option(names = "--instance", paramLabel = "KEY", description = "The conversation whose calls are meant.")
    private @Nullable String instance;

    @Option(names = "--call", paramLabel = "ID", description = "The call's id.")
    private @Nullable String call;

    @Option(names = "--step", paramLabel = "S", description = "The step of that call; without --call, all calls of this step.")
    private @Nullable String step;

    @Option(names = "--agent", paramLabel = "A", description = "The agent whose model called.")
    private @Nullable String agent;

    @Option(names = "--turn", paramLabel = "T", description = "The turn of that step.")
    private @Nullable String turn;

    @Option(names = "--by", paramLabel = "WHO", description = "Who says so, for the model and the logs (default: this system's user).")
    private @Nullable String by;

    @Option(names = "--reason", paramLabel = "WHY", description = "Why, for the model and the logs.")
    private @Nullable String reason;

    @Option(names = "--timeout", paramLabel = "TIME", converter = DurationOption.class, description = "How long to wait until the calls have ended (default: 10s).")
    private Duration timeout = Duration.ofSeconds(10);

    CancelCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        boolean byIds = call != null || step != null || agent != null || turn != null;
        if (handle != null && byIds)
            throw Failure.invalid("a handle names one call; leave out --call, --step, --agent and --turn");
        if (handle == null && instance == null)
            throw Failure
                    .invalid("name a handle, or calls of an instance with --instance KEY and --call ID or --step S");
        if (handle == null && call == null && step == null)
            throw Failure.invalid("which calls of instance '" + instance + "'? Name --call ID or --step S");
        CancelTarget.Reason why = new CancelTarget.Reason(
                Objects.requireNonNullElseGet(by, () -> System.getProperty("user.name", "unknown")), reason);
        CallCanceller cancelling = new CallCanceller(fleet(), timeout);
        return handle != null
                ? cancelling.handle(handle, instance, why)
                : cancelling.calls(new CancelTarget(Objects.requireNonNullElse(instance, ""), call, step, agent, turn),
                        why);
    }
}
