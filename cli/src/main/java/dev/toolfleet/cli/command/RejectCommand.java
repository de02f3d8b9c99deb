package dev.toolfleet.cli.command;

import java.time.Duration;

import dev.toolfleet.cli.approval.ApprovalDecider;
import dev.toolfleet.wire.Decision;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "reject", header = "Refuses a call that waits for a person's approval.", description = {"",
        "It ends with E_TOOL_APPROVAL_REJECTED; its agent's model is told who and why, so say what it should do"
                + " instead. The first decision about a call counts. What is not open is not decided: the command says"
                + " what became of it."}, footer = {"", "Examples:",
                        "  toolfleet reject call_abc --reason \"sell at most 100 a day\"",
                        "  toolfleet reject 7f3kq2 --by ada --reason \"use the staging database\"", "",
                        "Exit codes: 0 it counted; 1 nothing of that name is open, another decision was faster, or no worker took"
                                + " note in time; 2 the input is invalid or means several approvals."})
final class RejectCommand extends FleetCommand {
    @Parameters(index = "0", paramLabel = "HANDLE", description = "The approval: its handle, the beginning of it, or the call's id.")
    private String handle = "";

    @Option(names = "--reason", required = true, paramLabel = "WHY", description = "Why, for the model and for auditors.")
    private String reason = "";

    @Option(names = "--by", paramLabel = "NAME", description = "Who decides (default: the login to the brokers, else this system's user).")
    private @Nullable String by;

    @Option(names = "--timeout", paramLabel = "TIME", converter = DurationOption.class, description = "How long to wait for what a worker makes of it (default: 10s).")
    private Duration timeout = Duration.ofSeconds(10);

    RejectCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        return new ApprovalDecider(fleet()).decide(
                handle, new ApprovalDecider.Words(null, Decision.Verdict.REJECT, by, reason, false),
                false, timeout);
    }
}
