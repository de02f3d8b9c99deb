package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.time.Instant;

import dev.toolfleet.cli.audit.AuditVerification;
import dev.toolfleet.cli.terminal.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "audit", header = "Verifies that the audit's records are as they were written.", synopsisSubcommandLabel = "COMMAND", footer = {
        "", "Example:", "  toolfleet audit verify --since 1d"})
final class AuditCommand extends CommandGroup {
    AuditCommand(CommandContext context) {
        super(context, "what about the audit? There is: toolfleet audit verify,"
                + " toolfleet audit head");
    }

    /// `audit verify`; changes nothing.
    @Command(name = "verify", header = "Verifies the hash chains of tool.audit.", description = {"",
            "Each process that writes tool.audit chains its records in each partition: a record that was changed,"
                    + " removed, inserted or moved breaks the chain behind it. Prints for each partition and writer what"
                    + " holds and what does not.",
            "",
            "Nothing is said of what retention has removed. The last records of a writer that is still open may be"
                    + " missing unseen: it runs, or it ended without its last record, as in a crash. Who may rewrite the"
                    + " topic can make new chains: keep what toolfleet audit head prints elsewhere, and give it as"
                    + " --anchor."}, footer = {"", "Examples:",
                            "  toolfleet audit verify --since 7d",
                            "  toolfleet audit verify --anchor heads-of-monday.json --json",
                            "",
                            "Exit codes: 0 all of it holds; 1 something does not, or the topic cannot be read; 2 usage."})
    int verify(@Mixin FleetOptions fleet,
            @Option(names = "--since", paramLabel = "TIME", converter = PastOption.class, description = "Reads from then on, such as 10m or 7d, or an instant (default: all).") @Nullable Instant since,
            @Option(names = "--until", paramLabel = "TIME", converter = PastOption.class, description = "Reads what was written before that time (default: all).") @Nullable Instant until,
            @Option(names = "--anchor", paramLabel = "FILE", description = "What toolfleet audit head printed earlier: nothing before it may have changed.") @Nullable Path anchor,
            @Option(names = "--json", description = "Prints {whole, records, unchained, findings: [...], partitions: [...]}.") boolean json) {
        if (since != null && until != null && !since.isBefore(until))
            throw Failure.invalid("--since " + since + " is not before --until " + until);
        if (anchor != null && until != null)
            throw Failure.invalid("--anchor is compared with all that stands there now; leave --until out");
        return verification(fleet).verify(since, until, anchor, json);
    }

    /// `audit head`; changes nothing.
    @Command(name = "head", header = "Prints the last record of every chain, as JSON to keep elsewhere.", description = {
            "",
            "Who keeps it where operators of the brokers cannot write can verify later that nothing before was rewritten:"
                    + " toolfleet audit verify --anchor FILE."}, footer = {"", "Example:",
                            "  toolfleet audit head > heads-of-monday.json",
                            "",
                            "Exit codes: 0 all chains hold; 1 some do not, or the topic cannot be read; 2 usage."})
    int head(@Mixin FleetOptions fleet) {
        return verification(fleet).head();
    }

    private AuditVerification verification(FleetOptions fleet) {
        return new AuditVerification(fleet.open(context()));
    }
}
