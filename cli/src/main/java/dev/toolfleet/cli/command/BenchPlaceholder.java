package dev.toolfleet.cli.command;

import java.util.concurrent.Callable;

import dev.toolfleet.cli.terminal.Failure;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The command `bench` of the shipped jar, which lists it and has none of its code.
@Command(name = "bench", header = BenchPlaceholder.HEADER, description = {"", BenchPlaceholder.ELSEWHERE})
public final class BenchPlaceholder implements Callable<Integer> {
    /// Header of the command in every help.
    public static final String HEADER = "Measures a whole fleet or a single step, compares it with others, or breaks a fleet and checks the promises.";

    static final String ELSEWHERE = "The benchmarks are a jar of their own: in a clone of the repository, ./toolfleet build makes it, and ./toolfleet bench runs it;"
            + " elsewhere, the launcher needs toolfleet-bench.jar beside toolfleet.jar.";

    private BenchPlaceholder() {}

    /// Adds it, with whatever arguments; help of an installation without a broker does not list it.
    static void addTo(CommandLine root) {
        CommandLine bench = new CommandLine(new BenchPlaceholder()).setUnmatchedArgumentsAllowed(true);
        bench.getCommandSpec().usageMessage().hidden(!EmbeddedBroker.isPresent());
        root.addSubcommand(bench);
    }

    @Override
    public Integer call() {
        throw Failure.invalid("bench is not in this jar. " + ELSEWHERE);
    }
}
