package dev.toolfleet.cli.command;

import java.time.Duration;
import java.util.Objects;

import dev.toolfleet.cli.approval.ApprovalDecider;
import dev.toolfleet.wire.Decision;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "approve", header = "Lets a call run that waits for a person's approval.", description = {"",
        "It runs once, with the arguments that toolfleet approvals shows, under the policy of that moment: what is"
                + " denied by then is denied, and if another rule asks by then, a person is asked anew. The first"
                + " decision about a call counts, or as many approvals as its rule wants. What is not open is not decided: the command says what became of it.",
        "",
        "HANDLE is a handle or the beginning of one (8 characters or more). Other instances get the same call ids, and"
                + " by now one may mean another call than you have looked at, so the call's id is taken only with"
                + " --instance.",
        "",
        "Where secrets of the fleet stand in the arguments, they are hidden, and what runs is not what you see. Such a"
                + " call is approved only with --despite-hidden.",
        "",
        "Where a rule wants several people, each approves under a name of their own; the call runs with the last of"
                + " them, and the command says how many have approved.",
        "",
        "Where this command logs in to the brokers (SASL, or a TLS certificate), the login is the name, and another --by"
                + " is refused. The fleet does not check it: every principal that may write tool.decision may approve."}, footer = {
                        "", "Examples:",
                        "  toolfleet approve 7f3kq2mb",
                        "  toolfleet approve 7f3kq2mb --by ada --reason \"agreed in the ticket\"",
                        "  toolfleet approve call_abc --instance telegram:123 --wait", "",
                        "Exit codes: 0 it counted, also as one of several people (with --wait: the call ended); 1 nothing of that name is open, another decision"
                                + " was faster, or no worker took note in time; 2 the input is invalid, means several"
                                + " approvals, or is too little to be sure."})
final class ApproveCommand extends FleetCommand {
    @Parameters(index = "0", paramLabel = "HANDLE", description = "The approval: its handle, the beginning of it, or with --instance the call's id.")
    private String handle = "";

    @Option(names = "--instance", paramLabel = "KEY", description = "The instance whose call it must be.")
    private @Nullable String instance;

    @Option(names = "--by", paramLabel = "NAME", description = "Who decides (default: the login to the brokers, else this system's user).")
    private @Nullable String by;

    @Option(names = "--reason", paramLabel = "WHY", description = "Why, for auditors.")
    private @Nullable String reason;

    @Option(names = "--despite-hidden", description = "Approves also a call of whose arguments something is hidden.")
    private boolean despiteHidden;

    @Option(names = "--wait", description = "Waits for the call's final result and prints it.")
    private boolean result;

    @Option(names = "--timeout", paramLabel = "TIME", converter = DurationOption.class, description = "How long to wait (default: 10s, with --wait 10m).")
    private @Nullable Duration timeout;

    ApproveCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        Duration patience = Objects.requireNonNullElse(timeout,
                result ? Duration.ofMinutes(10) : Duration.ofSeconds(10));
        return new ApprovalDecider(fleet()).decide(
                handle, new ApprovalDecider.Words(instance, Decision.Verdict.APPROVE, by, reason, despiteHidden),
                result, patience);
    }
}
