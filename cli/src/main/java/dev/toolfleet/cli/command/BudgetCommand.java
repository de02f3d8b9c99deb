package dev.toolfleet.cli.command;

import java.util.Optional;

import dev.toolfleet.cli.budget.BudgetReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "budget", header = "Shows what instances, turns, agents and users have spent of budgets.", synopsisSubcommandLabel = "COMMAND", footer = {
        "", "Example:", "  toolfleet budget show telegram:123"})
final class BudgetCommand extends CommandGroup {
    BudgetCommand(CommandContext context) {
        super(context, "what about the budgets? There is: toolfleet budget show [INSTANCE]");
    }

    /// `budget show`.
    @Command(name = "show", header = "Shows what an instance, or each instance, agent and user, has spent of budgets.", description = {
            "",
            "Reads tool.journal. A running call that may run twice is not in it before its result."}, footer = {"",
                    "Exit codes: 0 success, 1 the topics cannot be read, 2 usage."})
    int show(@Mixin FleetOptions fleet,
            @Parameters(index = "0", arity = "0..1", paramLabel = "INSTANCE", description = "The instanceKey (default: all instances, agents and users).") @Nullable String instance,
            @Option(names = "--json", description = "Prints one JSON object a line.") boolean json) {
        return new BudgetReport(fleet.open(context())).show(Optional.ofNullable(instance), json);
    }
}
