package dev.toolfleet.bench.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import dev.toolfleet.bench.compare.Arm;
import dev.toolfleet.bench.compare.FootprintOptions;
import dev.toolfleet.bench.compare.FootprintRun;
import dev.toolfleet.cli.command.CommandContext;
import dev.toolfleet.cli.command.DurationOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "footprint", header = "Keeps many calls in flight, and looks at the memory of the worker's process.", description = {
        "",
        "Calls of 20 s of work are kept in flight, and the process is looked at each second. Needs /proc, so Linux."}, footer = {
                "", "Examples:", "  toolfleet bench footprint",
                "  toolfleet bench footprint --time 60s --in-flight 2000 --jvm -Xmx384m --against cpc", "",
                "Exit codes: 0 every call had its one right answer, in order, and the worker stayed below 600 MB and did not",
                "grow (judged from 5 min on); 1 not so, or the run could not be done; 2 an option cannot be used."})
final class BenchFootprintCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ComparisonOptions.Setup setup = new ComparisonOptions.Setup();

    @Option(names = "--against", paramLabel = "ENGINE", split = ",", converter = ComparisonOptions.Arms.class, description = "What is looked at after the worker, of cpc,cpc-async,journaled,labelled,node,python (default: nothing).")
    private List<Arm> against = List.of();

    @Option(names = "--in-flight", paramLabel = "N", defaultValue = "10000", description = "How many calls (default: ${DEFAULT-VALUE}).")
    private int inFlight;

    @Option(names = "--bytes", paramLabel = "N", defaultValue = "1024", description = "Of each call's text (default: ${DEFAULT-VALUE}).")
    private int bytes;

    @Option(names = "--time", paramLabel = "TIME", defaultValue = "10m", converter = DurationOption.class, description = "For how long (default: ${DEFAULT-VALUE}).")
    private Duration time = Duration.ZERO;

    BenchFootprintCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        FootprintOptions options = options();
        return new ComparisonBench(setup.output(spec), context.terminal())
                .run((folder, progress) -> new FootprintRun(options, folder, progress).run());
    }

    private FootprintOptions options() {
        List<Arm> arms = new ArrayList<>(List.of(Arm.TOOLFLEET));
        arms.addAll(against);
        return BenchRun.options(() -> new FootprintOptions(arms, inFlight, bytes, time, setup.engines(0)));
    }
}
