package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.util.concurrent.Callable;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemText;
import dev.toolfleet.bundle.check.BundleReport;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.publishing.apply.BundleCheck;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "validate", header = "Checks a bundle and reports every problem at once.", description = {"",
        "Each problem names its file, line and column, the path in the document, and a way out."}, footer = {"",
                "Examples:", "  toolfleet validate examples/hello",
                "  toolfleet validate --json . | jq '.problems[].code'", "",
                "Exit codes: 0 valid (warnings and hints may remain), 2 invalid."})
final class ValidateCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(paramLabel = "DIR", description = "The folder that holds the bundle's YAML files.")
    private Path folder = Path.of(".");

    @Option(names = "--json", description = "Prints {valid, counts, problems: [...]} instead of text.")
    private boolean json;

    ValidateCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        BundleReport report = BundleCheck.check(folder);
        Terminal terminal = context.terminal();
        if (json) {
            terminal.print(ProblemText.json(report.problems()).toPrettyString());
        } else {
            for (BundleProblem problem : report.problems())
                terminal.print(ProblemText.of(problem));
            terminal.print(folder + " is " + (report.valid() ? "valid" : "not valid") + ": "
                    + report.bundle().resources().size() + " resources, " + ProblemText.summary(report.problems()));
        }
        return report.valid() ? Failure.SUCCESS : Failure.INVALID;
    }
}
