package dev.toolfleet.bench.command;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import dev.toolfleet.bench.compare.Arm;
import dev.toolfleet.bench.compare.StartRun;
import dev.toolfleet.bench.compare.StartRun.StartOptions;
import dev.toolfleet.cli.command.CommandContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "start", header = "Measures the time from a worker's start to its first result.", description = {"",
        "The broker runs and calls wait. The time goes from the start of the process until the first result is read under"
                + " read_committed."}, footer = {"", "Examples:", "  toolfleet bench start",
                        "  toolfleet bench start --rounds 5 --against raw,cpc", "",
                        "Exit codes: 0 every call had its one right answer, in order; 1 not so, or the run could not be done;",
                        "2 an option cannot be used."})
final class BenchStartCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ComparisonOptions.Setup setup = new ComparisonOptions.Setup();

    @Option(names = "--against", paramLabel = "ENGINE", split = ",", converter = ComparisonOptions.Arms.class, description = "What starts beside the worker, of raw,cpc,cpc-async,journaled,labelled,node,python (default: nothing).")
    private List<Arm> against = List.of();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "How often each starts; the table has the medians (default: ${DEFAULT-VALUE}).")
    private int rounds;

    BenchStartCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        StartOptions options = options();
        return new ComparisonBench(setup.output(spec), context.terminal())
                .run((folder, progress) -> new StartRun(options, folder, progress).run());
    }

    private StartOptions options() {
        List<Arm> arms = new ArrayList<>(List.of(Arm.TOOLFLEET));
        arms.addAll(against);
        return BenchRun.options(() -> new StartOptions(arms, rounds, setup.engines(0)));
    }
}
