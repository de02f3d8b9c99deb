package dev.toolfleet.bench.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import dev.toolfleet.bench.compare.Arm;
import dev.toolfleet.bench.compare.RateOptions;
import dev.toolfleet.bench.compare.RateRun;
import dev.toolfleet.bench.load.KeyMix;
import dev.toolfleet.cli.command.CommandContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "rate", header = "Measures how long results take at a steady rate of calls, beside what people would use instead.", description = {
        "",
        "As `toolfleet bench drain`, but calls come evenly while the engine runs, whatever it does. The time of a call"
                + " goes from the instant at which it was due until its result was read under read_committed, so that"
                + " waiting is not hidden. Afterwards it looks whether every call has one right result, in order."}, footer = {
                        "", "Examples:", "  toolfleet bench rate --rate 2000 --work 10ms --against cpc",
                        "  toolfleet bench rate --rate 449 --work 10ms --keys uniform:1000,zipf:1000 --against cpc",
                        "                             the busiest of 1,000 instances gets 60 %% of what it can take",
                        "",
                        "Exit codes: 0 every call had its one right answer, in order; 1 not so, or the run could not be done;",
                        "2 an option cannot be used."})
final class BenchRateCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ComparisonOptions common = new ComparisonOptions();

    @Option(names = "--against", paramLabel = "ENGINE", split = ",", converter = ComparisonOptions.Arms.class, description = "What takes part beside the worker, of raw,cpc,cpc-async,journaled,labelled,node,python (default: cpc).")
    private List<Arm> against = List.of(Arm.CPC);

    @Option(names = "--rate", paramLabel = "N", defaultValue = "2000", description = "Calls a second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "30", description = "How long calls count (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--warm-up", paramLabel = "TIME", defaultValue = "60s", converter = ComparisonOptions.Work.class, description = "For how long before that they do not (default: ${DEFAULT-VALUE}).")
    private Duration warmUp = Duration.ZERO;

    @Option(names = "--work", paramLabel = "TIME", split = ",", converter = ComparisonOptions.Work.class, description = "How long the tool sleeps in each call, 0 or such as 10ms; several are measured in turns (default: 10ms).")
    private List<Duration> works = List.of(Duration.ofMillis(10));

    @Option(names = "--keys", paramLabel = "MIX", split = ",", converter = ComparisonOptions.Keys.class, description = "Which instances the calls go to: uniform:COUNT, zipf:COUNT[:EXPONENT] or hot (default: uniform:1000).")
    private List<KeyMix> keys = List.of(new KeyMix.Uniform(1_000));

    @Option(names = "--concurrency", paramLabel = "N", defaultValue = "0", description = "How many calls cpc may work on at a time (default: as many as there are instances, at most 1000).")
    private int concurrency;

    BenchRateCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        RateOptions options = options();
        return new ComparisonBench(common.output(spec), context.terminal())
                .run((folder, progress) -> new RateRun(options, folder, progress).run());
    }

    private RateOptions options() {
        List<Arm> arms = new ArrayList<>(List.of(Arm.TOOLFLEET));
        arms.addAll(against);
        return BenchRun.options(() -> new RateOptions(arms, common.loads(works, keys), common.rounds(),
                new RateOptions.Schedule(rate, warmUp, Duration.ofSeconds(seconds)), common.engines(concurrency)));
    }
}
