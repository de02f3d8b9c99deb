package dev.toolfleet.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.hosts.check.HostCheck;
import dev.toolfleet.hosts.check.HostCheck.Outcome;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import static java.util.Objects.requireNonNull;

@Command(name = "host", header = "Checks programs that run handlers in other languages.", synopsisSubcommandLabel = "COMMAND", footer = {
        "", "Example:", "  toolfleet host check ./my-host"})
final class HostCommand extends CommandGroup {
    private HostCommand(CommandContext context) {
        super(context, "what about hosts? There is: toolfleet host check PROGRAM");
    }

    /// Adds the command. What follows the checked program are the program's own arguments.
    static void addTo(CommandLine root, CommandContext context) {
        CommandLine host = new CommandLine(new HostCommand(context));
        requireNonNull(host.getSubcommands().get("check")).setStopAtPositional(true);
        root.addSubcommand(host);
    }

    /// `host check`.
    @Command(name = "check", header = "Checks that a program speaks the host protocol.", description = {"",
            "Starts the program as a worker does, and checks each rule of docs/host-protocol.md that can be seen from"
                    + " outside. It calls handlers named echo (returns its input), fail (fails), progress (reports"
                    + " progress, then ends) and wait (waits until it is cancelled), which the program must have."}, footer = {
                            "", "Examples:", "  toolfleet host check ./my-host",
                            "  toolfleet host check --file check.rb ruby host.rb", "",
                            "Exit codes: 0 all rules are kept, 1 one is not or the program cannot be started."})
    int check(
            @Option(names = "--file", paramLabel = "FILE", description = "The module with the handlers, for a host that loads files (default: PROGRAM).") @Nullable Path file,
            @Parameters(index = "0..*", arity = "1..*", paramLabel = "PROGRAM", description = "The program and its arguments.") List<String> program)
            throws IOException, InterruptedException {
        Terminal terminal = context().terminal();
        if (!Files.exists(file == null ? Path.of(program.getFirst()) : file))
            throw Failure.invalid((file == null
                    ? program.getFirst() + ": there is no such file; give its path, or the module by --file"
                    : "--file " + file + ": there is no such file"));
        Path loaded = file == null ? Path.of(program.getFirst()) : file;
        boolean kept = new HostCheck(program, loaded, outcome -> terminal.print(line(outcome))).run();
        terminal.print("");
        terminal.print(kept ? "The program speaks the host protocol, version 1." : "The program breaks the protocol.");
        return kept ? Failure.SUCCESS : Failure.FAILED;
    }

    private static String line(Outcome outcome) {
        return outcome.kept() ? "ok    " + outcome.rule() : "WRONG " + outcome.rule() + ": " + outcome.fault();
    }
}
