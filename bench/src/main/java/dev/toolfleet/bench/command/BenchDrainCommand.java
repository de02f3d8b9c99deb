package dev.toolfleet.bench.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import dev.toolfleet.bench.compare.Arm;
import dev.toolfleet.bench.compare.DrainOptions;
import dev.toolfleet.bench.compare.DrainRun;
import dev.toolfleet.bench.compare.Table;
import dev.toolfleet.bench.load.KeyMix;
import dev.toolfleet.cli.command.CommandContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "drain", header = "Measures how many results a second a log of calls gives, beside what people would use instead.", description = {
        "",
        "Starts a broker, and for one measurement after the other an engine, as processes of their own, on 127.0.0.1 and"
                + " with temporary data. All calls stand on the topic before the engine starts; results are counted as"
                + " they are committed. Engines take turns. Afterwards it looks whether every call has one right result,"
                + " in the order of its instance's calls.",
        "",
        "A worker has everything on that it has in production: it judges calls by the catalogs of their steps, which a"
                + " catalog service published before, checks arguments, asks 50 policy rules and guards results. It is"
                + " compared with:",
        "  raw        a loop of one thread: poll, answer, commit a transaction (only without --work)",
        "  cpc        Confluent's parallel-consumer, order by key, transactional",
        "  cpc-async  the same without transactions, which is not exactly once",
        "  journaled  a worker whose tool must not run twice, so that every start is journaled",
        "  labelled   a worker whose tool adds two labels to the instance with each result",
        "  node       a worker whose tool is in JavaScript, in a process of its own (needs Node)",
        "  python     the same in Python (needs Python)"}, footer = {"",
                "Examples:", "  toolfleet bench drain --against raw,cpc,journaled",
                "  toolfleet bench drain --work 10ms --against cpc --calls 200000",
                "  toolfleet bench drain --rounds 1 --calls 50000 --report drain.md --csv drain.csv", "",
                "Exit codes: 0 every call had its one right answer, in order; 1 not so, or the run could not be done;",
                "2 an option cannot be used."})
final class BenchDrainCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ComparisonOptions common = new ComparisonOptions();

    @Option(names = "--against", paramLabel = "ENGINE", split = ",", converter = ComparisonOptions.Arms.class, description = "What takes part beside the worker, of raw,cpc,cpc-async,journaled,labelled,node,python (default: raw,cpc).")
    private List<Arm> against = List.of(Arm.RAW, Arm.CPC);

    @Option(names = "--calls", paramLabel = "N", defaultValue = "100000", description = "How many calls count (default: ${DEFAULT-VALUE}).")
    private int calls;

    @Option(names = "--warm-up", paramLabel = "N", description = "How many calls in front of them do not (default: half as many).")
    private @Nullable Integer warmUp;

    @Option(names = "--work", paramLabel = "TIME", split = ",", converter = ComparisonOptions.Work.class, description = "How long the tool sleeps in each call, 0 or such as 10ms; several are measured in turns (default: 0).")
    private List<Duration> works = List.of(Duration.ZERO);

    @Option(names = "--keys", paramLabel = "MIX", split = ",", converter = ComparisonOptions.Keys.class, description = "Which instances the calls go to: uniform:COUNT, zipf:COUNT[:EXPONENT] or hot (default: uniform:1000).")
    private List<KeyMix> keys = List.of(new KeyMix.Uniform(1_000));

    @Option(names = "--concurrency", paramLabel = "N", defaultValue = "0", description = "How many calls cpc may work on at a time (default: as many as there are instances, at most 1000).")
    private int concurrency;

    @Option(names = "--seconds", paramLabel = "FILE", description = "Writes there, as CSV, how many results each second of each drain gave, and which processes kept the processors busy in it. Shows whether an engine with a backlog stood still.")
    private @Nullable Path seconds;

    BenchDrainCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        DrainOptions options = options();
        return new ComparisonBench(common.output(spec), context.terminal())
                .run((folder, progress) -> new DrainRun(options, folder, progress, this::write).run());
    }

    private void write(Table table) {
        if (seconds == null)
            return;
        try {
            Files.write(seconds, table.csv());
        } catch (IOException e) {
            throw new UncheckedIOException("--seconds " + seconds + " could not be written: " + e.getMessage(), e);
        }
    }

    private DrainOptions options() {
        List<Arm> arms = new ArrayList<>(List.of(Arm.TOOLFLEET));
        arms.addAll(against);
        return BenchRun.options(() -> new DrainOptions(arms, common.loads(works, keys), common.rounds(), calls,
                warmUp == null ? calls / 2 : warmUp, common.engines(concurrency)));
    }
}
