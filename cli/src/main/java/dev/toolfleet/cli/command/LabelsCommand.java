package dev.toolfleet.cli.command;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.toolfleet.cli.label.LabelOperator;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.wire.InstanceLabel;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "labels", header = "Shows and clears the labels of instances.", synopsisSubcommandLabel = "COMMAND", footer = {
        "", "Example:", "  toolfleet labels show telegram:123",
        "  toolfleet labels clear telegram:123 untrusted --reason \"read by ann\""})
final class LabelsCommand extends CommandGroup {
    LabelsCommand(CommandContext context) {
        super(context, "what about the labels? There is: toolfleet labels show [INSTANCE],"
                + " toolfleet labels clear INSTANCE [LABEL...]");
    }

    /// `labels show`.
    @Command(name = "show", header = "Shows the labels of an instance, or of all, with the calls that added them last.", footer = {
            "", "Exit codes: 0 success, 1 the topics cannot be read, 2 usage."})
    int show(@Mixin FleetOptions fleet,
            @Parameters(index = "0", arity = "0..1", paramLabel = "INSTANCE", description = "The instanceKey (default: all instances).") @Nullable String instance,
            @Option(names = "--json", description = "Prints one JSON object a line.") boolean json) {
        return new LabelOperator(fleet.open(context())).show(Optional.ofNullable(instance), json);
    }

    /// `labels clear`.
    @Command(name = "clear", header = "Clears labels of an instance: rules look at them no more.", description = {"",
            "The model still has what it has read. A result that comes meanwhile, or later, keeps its label. Audited."}, footer = {
                    "", "Exit codes: 0 the order was given, 1 the instance does not have all of them, 2 usage."})
    int clear(@Mixin FleetOptions fleet,
            @Parameters(index = "0", paramLabel = "INSTANCE", description = "The instanceKey.") String instance,
            @Parameters(index = "1..*", arity = "0..*", paramLabel = "LABEL", description = "The labels (default: all).") @Nullable List<String> labels,
            @Option(names = "--by", paramLabel = "WHO", description = "Operator's name for the audit (default: this system's user).") @Nullable String by,
            @Option(names = "--reason", paramLabel = "WHY", required = true, description = "Why, for auditors.") String reason) {
        List<String> all = Objects.requireNonNullElse(labels, List.of());
        for (String label : all) {
            if (!InstanceLabel.isName(label))
                throw Failure.invalid("'" + label + "' is no label; a label is " + InstanceLabel.FORM);
        }
        if (reason.isBlank())
            throw Failure.invalid("--reason is empty; write in a few words why the labels are cleared, for auditors");
        return new LabelOperator(fleet.open(context())).clear(instance, all, new LabelOperator.Reason(
                Objects.requireNonNullElseGet(by, () -> System.getProperty("user.name", "unknown")), reason));
    }
}
