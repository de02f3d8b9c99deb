package dev.toolfleet.cli.command;

import java.util.Optional;

import dev.toolfleet.cli.approval.ApprovalViewer;
import dev.toolfleet.cli.terminal.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "approvals", header = "Shows the calls that wait for a person's approval.", description = {"",
        "Without a HANDLE: the open ones, the oldest first, each with the rule that asks, its reason and the arguments"
                + " that would run, abridged. With one: all that is known of it, and all of its arguments, as JSON that"
                + " reads as what runs. Only secrets that the fleet holds are hidden, and the command says so.",
        "",
        "HANDLE is a handle, the beginning of one (4 characters or more) or the call's id, as long as it means one"
                + " open approval. toolfleet reject takes the same, toolfleet approve wants 8 characters, or --instance"
                + " with a call's id."}, footer = {"", "Examples:",
                        "  toolfleet approvals --bootstrap broker:9092",
                        "  toolfleet approvals --instance telegram:123 --json",
                        "  toolfleet approvals --all",
                        "  toolfleet approvals call_abc", "",
                        "Exit codes: 0 success, 1 no such approval is open or the topics cannot be read, 2 usage, or several"
                                + " approvals match."})
final class ApprovalsCommand extends FleetCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "HANDLE", description = "The approval to show.")
    private @Nullable String handle;

    @Option(names = "--instance", paramLabel = "KEY", description = "Lists only the approvals of this instance.")
    private @Nullable String instance;

    @Option(names = "--all", description = "Lists also what was decided, or expired, within a day (from tool.audit).")
    private boolean all;

    @Option(names = "--json", description = "Prints JSON, a list as one object a line.")
    private boolean json;

    ApprovalsCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        if (handle != null && (instance != null || all))
            throw Failure.invalid("--instance and --all are for the list; leave them out, or the handle '" + handle
                    + "'");
        ApprovalViewer approvals = new ApprovalViewer(fleet());
        return handle == null
                ? approvals.list(Optional.ofNullable(instance), all, json)
                : approvals.show(handle, json);
    }
}
