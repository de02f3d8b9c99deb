package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.init.BundleLanguage;
import dev.toolfleet.cli.init.NewBundle;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "init", header = "Creates a bundle with one handler and its test.", description = {"",
        "Existing files are never overwritten."}, footer = {"", "Examples:", "  toolfleet init my-tools",
                "  cd my-tools && mvn package && toolfleet run --bundle . --calls calls.jsonl",
                "  toolfleet init --language python my-tools"})
final class InitCommand implements Callable<Integer> {
    private final CommandContext context;

    @Option(names = "--language", paramLabel = "LANGUAGE", description = "The handler's language: ${COMPLETION-CANDIDATES} (default: java).", completionCandidates = Languages.class)
    private BundleLanguage language = BundleLanguage.JAVA;

    @Parameters(paramLabel = "DIR", description = "The new bundle's folder.")
    private Path folder = Path.of(".");

    InitCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Terminal terminal = context.terminal();
        NewBundle.create(folder, language).forEach(file -> terminal.print("created " + folder.resolve(file)));
        terminal.print("");
        terminal.print("Next: cd " + folder + " && " + language.build()
                + " && toolfleet test . && toolfleet run --bundle . --calls calls.jsonl");
        if (language == BundleLanguage.JAVA)
            terminal.print("README.md says how Maven finds Toolfleet's contracts.");
        return Failure.SUCCESS;
    }

    /// The languages as people write them.
    static final class Languages implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(BundleLanguage.values()).map(each -> each.name().toLowerCase(Locale.ROOT)).iterator();
        }
    }
}
