package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.contract.BundleContract;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "test", header = "Runs the contract of tools against the code of a bundle.", description = {"",
        "Calls the handlers of the bundle's own Tools, in whatever language, in this JVM and without a broker. Each case"
                + " in contract.jsonl is a line:",
        "  {\"name\": \"text__count\", \"args\": {\"text\": \"a b\"}, \"output\": {\"words\": 2}}",
        "  {\"name\": \"text__count\", \"args\": {\"text\": \"\"}, \"fails\": \"E_NO_TEXT\"}",
        "  {\"name\": \"build__run\", \"args\": {\"target\": \"all\"}, \"slow\": true}", "",
        "A case succeeds (output, if given, is the expected one), fails with a code, or is slow: it keeps the handler"
                + " busy. What is checked:",
        "  - arguments fit `parameters`, and outputs `outputSchema` where validateOutput is true",
        "  - answers are JSON of at most 1 MiB; errors have a code and a message",
        "  - a readOnly export leaves its folder as it was",
        "  - an idempotent export leaves its folder, and its output, as they are when it is called again"
                + " (\"varies\": true allows another output)",
        "  - a slow handler ends soon after a cancellation, and at its deadline",
        "  - no thread, process or file is left behind"}, footer = {"", "Examples:", "  toolfleet test",
                "  toolfleet test examples/python-tools",
                "  toolfleet test my-tools --cases more.jsonl", "",
                "Exit codes: 0 all Tools with cases kept the contract, 1 one did not, 2 the bundle or a case is invalid."})
final class TestCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(paramLabel = "DIR", description = "The bundle's folder.")
    private Path folder = Path.of(".");

    @Option(names = "--cases", paramLabel = "FILE", description = "The cases (default: contract.jsonl in the bundle's folder).")
    private @Nullable Path cases;

    @Mixin
    private ConfigOptions config = new ConfigOptions();

    TestCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        return BundleContract.of(folder, context.terminal()).run(
                cases == null ? folder.resolve(BundleContract.CASES) : cases,
                config.load(context.environment(), Map.of()));
    }
}
