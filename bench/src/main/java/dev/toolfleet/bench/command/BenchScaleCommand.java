package dev.toolfleet.bench.command;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;

import dev.toolfleet.bench.compare.Arm;
import dev.toolfleet.bench.compare.DrainOptions;
import dev.toolfleet.bench.compare.RateOptions;
import dev.toolfleet.bench.compare.ScaleRun;
import dev.toolfleet.bench.compare.ScaleRun.ScaleOptions;
import dev.toolfleet.bench.load.KeyMix;
import dev.toolfleet.cli.command.CommandContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "scale", header = "Measures what more workers bring, and how long a rolling restart holds calls up.", description = {
        "",
        "Drains as `toolfleet bench drain` does, by one worker and by two. Then calls come at a steady rate while two"
                + " workers are stopped and replaced, one after the other; the longest call says how long an instance"
                + " stood still.",
        "",
        "Workers on one machine share its processors, so two are no faster there than one that keeps them busy. With"
                + " --share each worker may use only a part of a processor, as on a machine of its own."}, footer = {"",
                        "Examples:", "  toolfleet bench scale",
                        "  toolfleet bench scale --workers 1,2,4 --share 0.25",
                        "  toolfleet bench scale --max-in-flight 50 --calls 20000 --rate 500", "",
                        "Exit codes: 0 every call had its one right answer, in order; 1 not so, or the run could not be done;",
                        "2 an option cannot be used."})
final class BenchScaleCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ComparisonOptions common = new ComparisonOptions();

    @Option(names = "--workers", paramLabel = "N", split = ",", description = "How many workers drain; each is compared with the first (default: 1,2).")
    private List<Integer> workers = List.of(1, 2);

    @Option(names = "--share", paramLabel = "PART", description = "What part of a processor each worker may use once it is warm, such as 0.25. Needs Linux and the right to make a control group (default: no bound).")
    private @Nullable Double share;

    @Option(names = "--max-in-flight", paramLabel = "N", defaultValue = "200", description = "worker.maxInFlight of each worker (default: ${DEFAULT-VALUE}).")
    private int maxInFlight;

    @Option(names = "--calls", paramLabel = "N", defaultValue = "100000", description = "How many calls of a drain count (default: ${DEFAULT-VALUE}).")
    private int calls;

    @Option(names = "--warm-up", paramLabel = "N", description = "How many calls in front of them do not, for each worker (default: half as many).")
    private @Nullable Integer warmUp;

    @Option(names = "--work", paramLabel = "TIME", defaultValue = "10ms", converter = ComparisonOptions.Work.class, description = "How long the tool sleeps in each call (default: ${DEFAULT-VALUE}).")
    private Duration work = Duration.ZERO;

    @Option(names = "--keys", paramLabel = "MIX", defaultValue = "uniform:1000", converter = ComparisonOptions.Keys.class, description = "Which instances the calls go to (default: ${DEFAULT-VALUE}).")
    private KeyMix keys = new KeyMix.Hot();

    @Option(names = "--rate", paramLabel = "N", defaultValue = "1000", description = "Calls a second during the restart (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "40", description = "How long calls come then, after 10 s of warm-up (default: ${DEFAULT-VALUE}).")
    private int seconds;

    BenchScaleCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        ScaleOptions options = options();
        return new ComparisonBench(common.output(spec), context.terminal())
                .run((folder, progress) -> new ScaleRun(options, folder, progress).run());
    }

    private ScaleOptions options() {
        return BenchRun.options(() -> new ScaleOptions(
                new DrainOptions(List.of(Arm.TOOLFLEET), common.loads(List.of(work), List.of(keys)),
                        common.rounds(), calls, warmUp == null ? calls / 2 : warmUp, common.engines(0)),
                workers, share == null ? OptionalDouble.empty() : OptionalDouble.of(share),
                new RateOptions.Schedule(rate, Duration.ofSeconds(10), Duration.ofSeconds(seconds)), maxInFlight));
    }
}
