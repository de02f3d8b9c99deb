package dev.toolfleet.cli.command;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import dev.toolfleet.cli.explain.LaneOperator;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.wire.LaneOrder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "lane", header = "Shows the lane of an instance, and skips or fails a stuck call.", synopsisSubcommandLabel = "COMMAND", footer = {
        "", "Example:", "  toolfleet lane show telegram:123", "  toolfleet lane skip telegram:123",
        "  toolfleet lane fail telegram:123 --reason \"its database is gone\""})
final class LaneCommand extends CommandGroup {
    LaneCommand(CommandContext context) {
        super(context, "what about the lane? There is: toolfleet lane show INSTANCE,"
                + " toolfleet lane skip INSTANCE, toolfleet lane fail INSTANCE --reason WHY");
    }

    /// `lane show`.
    @Command(name = "show", header = "Shows the calls of an instance that have not ended, the oldest first.", description = {
            "",
            "From the topics; a worker whose HTTP port can be reached adds what it does with each. Calls that wait for"
                    + " a handle or a person hold no lane, and are not shown."}, footer = {"",
                            "Exit codes: 0 success,"
                                    + " 1 the topics cannot be read, 2 usage."})
    int show(@Mixin FleetOptions fleet,
            @Parameters(index = "0", paramLabel = "INSTANCE", description = "The instanceKey.") String instance,
            @Option(names = "--worker-url", paramLabel = "URL", description = "Asks the worker there; may be repeated.") @Nullable List<URI> workers,
            @Option(names = "--json", description = "Prints one JSON object a line.") boolean json)
            throws InterruptedException {
        return lanes(fleet, workers).show(instance, json);
    }

    /// `lane skip`.
    @Command(name = "skip", header = "Lets the lane go on past a call, which runs on beside it.", description = {"",
            "For a call that will end, but holds up others that need not wait for it. Calls of the instance may then"
                    + " overlap, and end in another order: a tool that must know asks ctx.fencingToken. Without --call"
                    + " or --record it is the call that holds the lane. Audited."}, footer = {"",
                            "Exit codes: 0 the order was given, 1 nothing holds the lane, 2 usage, or several calls"
                                    + " match."})
    int skip(@Mixin FleetOptions fleet,
            @Parameters(index = "0", paramLabel = "INSTANCE", description = "The instanceKey.") String instance,
            @Option(names = "--call", paramLabel = "ID", description = "The call's id.") @Nullable String call,
            @Option(names = "--record", paramLabel = "P/OFFSET", description = "The call's partition and offset on tool.call.") @Nullable String record,
            @Option(names = "--by", paramLabel = "WHO", description = "Who says so (default: this system's user).") @Nullable String by,
            @Option(names = "--reason", paramLabel = "WHY", description = "Why, for auditors.") @Nullable String reason)
            throws InterruptedException {
        return order(fleet, instance, LaneOrder.Order.SKIP, which(call, record), reason(by, reason), Duration.ZERO);
    }

    /// `lane fail`.
    @Command(name = "fail", header = "Ends a call wherever it hangs, with an error, so that its lane goes on.", description = {
            "",
            "Also one that a middleware holds, and one whose handler ignores its interrupt. It ends with"
                    + " E_TOOL_CANCELLED when it had not started or may run again, else with E_TOOL_OUTCOME_UNKNOWN,"
                    + " because it may have happened. Without --call or --record it is the call that holds the lane."
                    + " Audited."}, footer = {"",
                            "Exit codes: 0 the call has ended, 1 it has not ended in time or nothing holds the lane, 2"
                                    + " usage, or several calls match."})
    int fail(@Mixin FleetOptions fleet,
            @Parameters(index = "0", paramLabel = "INSTANCE", description = "The instanceKey.") String instance,
            @Option(names = "--call", paramLabel = "ID", description = "The call's id.") @Nullable String call,
            @Option(names = "--record", paramLabel = "P/OFFSET", description = "The call's partition and offset on tool.call.") @Nullable String record,
            @Option(names = "--by", paramLabel = "WHO", description = "Who says so (default: this system's user).") @Nullable String by,
            @Option(names = "--reason", paramLabel = "WHY", required = true, description = "Why, for the model and auditors.") String reason,
            @Option(names = "--timeout", paramLabel = "TIME", converter = DurationOption.class, description = "How long to wait until it has ended (default: 15s).") @Nullable Duration timeout)
            throws InterruptedException {
        return order(fleet, instance, LaneOrder.Order.FAIL, which(call, record), reason(by, reason),
                Objects.requireNonNullElse(timeout, Duration.ofSeconds(15)));
    }

    private int order(FleetOptions fleet, String instance, LaneOrder.Order what, LaneOperator.Which which,
            LaneOperator.Reason why, Duration patience) throws InterruptedException {
        return lanes(fleet, null).order(instance, what, which, why, patience);
    }

    private LaneOperator lanes(FleetOptions fleet, @Nullable List<URI> workers) {
        return new LaneOperator(fleet.open(context()),
                Objects.requireNonNullElse(workers, List.of()));
    }

    private static LaneOperator.Which which(@Nullable String call, @Nullable String record) {
        if (call != null && record != null)
            throw Failure.invalid("--record names one call; leave out --call");
        return new LaneOperator.Which(call, record);
    }

    private static LaneOperator.Reason reason(@Nullable String by, @Nullable String reason) {
        return new LaneOperator.Reason(
                Objects.requireNonNullElseGet(by, () -> System.getProperty("user.name", "unknown")), reason);
    }
}
