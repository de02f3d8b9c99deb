package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.init.NewBundle;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "init", header = "Creates a bundle with one Java handler, its pom and its test.", description = {"",
        "Existing files are never overwritten."}, footer = {"", "Examples:", "  toolfleet init my-tools",
                "  cd my-tools && mvn package && toolfleet run --bundle . --calls calls.jsonl"})
final class InitCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(paramLabel = "DIR", description = "The new bundle's folder.")
    private Path folder = Path.of(".");

    InitCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Terminal terminal = context.terminal();
        NewBundle.create(folder).forEach(file -> terminal.print("created " + folder.resolve(file)));
        terminal.print("");
        terminal.print("Next: cd " + folder + " && mvn package && toolfleet run --bundle . --calls calls.jsonl");
        terminal.print("README.md says how Maven finds Toolfleet's contracts.");
        return Failure.SUCCESS;
    }
}
