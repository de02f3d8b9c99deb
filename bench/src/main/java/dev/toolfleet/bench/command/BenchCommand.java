package dev.toolfleet.bench.command;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bench.backtest.PastCallsRun.PastCallsOptions;
import dev.toolfleet.bench.crash.CrashOptions;
import dev.toolfleet.bench.effect.EffectHandlers;
import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.memory.MemoryRun.MemoryOptions;
import dev.toolfleet.bench.pending.PendingRun.PendingOptions;
import dev.toolfleet.bench.sessions.SessionsRun.SessionsOptions;
import dev.toolfleet.bench.steps.StepsRun.StepsOptions;
import dev.toolfleet.cli.command.BenchPlaceholder;
import dev.toolfleet.cli.command.CommandContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "bench", header = BenchPlaceholder.HEADER, synopsisSubcommandLabel = "COMMAND")
final class BenchCommand implements Runnable {
    private static final BigDecimal SECONDS = BigDecimal.valueOf(60);

    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    BenchCommand(CommandContext context) {
        this.context = context;
    }

    static CommandLine withSubcommands(CommandContext context) {
        CommandLine bench = new CommandLine(new BenchCommand(context));
        bench.addSubcommand(new BenchDrainCommand(context));
        bench.addSubcommand(new BenchRateCommand(context));
        bench.addSubcommand(new BenchFootprintCommand(context));
        bench.addSubcommand(new BenchStartCommand(context));
        bench.addSubcommand(new BenchScaleCommand(context));
        bench.addSubcommand(new BenchGatewayCommand(context));
        return bench;
    }

    @Override
    public void run() {
        CommandLine line = spec == null ? new CommandLine(this) : spec.commandLine();
        throw new ParameterException(line,
                "which benchmark? There are: toolfleet bench backtest, toolfleet bench crash, toolfleet bench drain,"
                        + " toolfleet bench footprint, toolfleet bench gateway, toolfleet bench memory, toolfleet bench micro,"
                        + " toolfleet bench pending, toolfleet bench rate, toolfleet bench scale, toolfleet bench sessions,"
                        + " toolfleet bench start, toolfleet bench steps");
    }

    /// `bench backtest`.
    @Command(name = "backtest", header = "Judges many past calls again under another policy, and measures how long it takes.", description = {
            "",
            "Starts a broker as a process of its own, on 127.0.0.1 and with temporary data, and writes calls of four agents"
                    + " and eight tools, 1 KB each, with their results. Then toolfleet policy backtest judges them with 512 MB"
                    + " of heap, under two bundles of 41 and 44 rules, and its counts are compared with what the rules do.",
            "",
            "Exit codes: 0 every count is right, and a million calls took less than a minute, 1 not so, or the run could"
                    + " not be done,",
            "2 an option cannot be used."}, footer = {"", "Examples:", "  toolfleet bench backtest",
                    "  toolfleet bench backtest --calls 100000"})
    int backtest(
            @Option(names = "--calls", paramLabel = "N", defaultValue = "1000000", description = "How many past calls (default: ${DEFAULT-VALUE}).") int calls) {
        PastCallsOptions options = BenchRun.options(() -> new PastCallsOptions(calls));
        return BacktestBench.run(options, context.terminal());
    }

    /// `bench crash`.
    @Command(name = "crash", header = "Kills, stops and freezes workers and brokers under load, harms topics and groups, and checks what was promised.", description = {
            "",
            "Starts a broker (or three), a catalog service and three workers as processes of their own, on 127.0.0.1 and"
                    + " with temporary data, and writes calls of tools of three kinds (read-only, idempotent, and neither)"
                    + " to instances of which few are busy. Most calls take milliseconds, a few up to 20 s; most answers"
                    + " are short, a few have up to 1 MB; 1 %% are written twice, 3 %% are completed from outside, and a"
                    + " person decides about 4 %%. Each tool writes to a file what it does, and waits for the disk."
                    + " Meanwhile faults happen, one after the other:",
            "  kill      SIGKILL to a worker; a new one starts a little later, one time in two under its name",
            "  stop      SIGTERM to a worker; a new one starts when it has ended, one time in two under its name",
            "  freeze    SIGSTOP to a worker for longer than its session timeout, then SIGCONT",
            "  broker    SIGKILL to a broker, which starts again some seconds later",
            "  recreate  deletes tool.call under the workers and makes it anew; what was not read of it is lost",
            "  rewind    stops all workers, sets the group's offsets back, and starts others",
            "  forget    stops all workers, deletes the group, and starts others",
            "  quota     lets each client write 200 kB/s only, for some seconds",
            "  clock     replaces a worker by one whose clock is an hour ahead (needs libfaketime)",
            "  gateway   SIGKILL to a gateway, which starts again a little later (with --gateways)",
            "  host      SIGKILL to the process that runs the handlers of a worker (with --handlers node)",
            "  session   SIGKILL to a session service, which starts again a little later (with --sessions)",
            "With --gateways, calls come from clients over HTTP, one for each call, which take the gateways in turn and"
                    + " repeat a request that fails, with its idempotency key, at the next one.",
            "With --sessions, each result that is not replayed must have one message in its session, in the order of the"
                    + " results.",
            "With --labels, results of the read-only tool add untrusted, those of the idempotent one sensitive, and the"
                    + " third sends, under a policy with trust: guarded. No call that sends may start without approval"
                    + " once its instance has received both.",
            "Then the calls, the results and the files are compared. docs/benchmarks.md explains the report."}, footer = {
                    "", "Examples:",
                    "  toolfleet bench crash",
                    "  toolfleet bench crash --minutes 5 --seed 7 --json report.json",
                    "  toolfleet bench crash --minutes 10 --faults all --brokers 3",
                    "  toolfleet bench crash --gateways 2         gateways and workers are killed",
                    "  toolfleet bench crash --sessions 2         session services and workers are killed",
                    "  toolfleet bench crash --labels             tools add labels, and calls that send need approval then",
                    "  toolfleet bench crash --handlers node      the tools are in JavaScript; their processes are killed too",
                    "  toolfleet bench crash --faults stop        a rolling restart: nothing may be lost",
                    "",
                    "Exit codes: 0 every promise was kept, 1 one was broken or the run could not be done,",
                    "2 an option cannot be used."})
    int crash(
            @Option(names = "--minutes", paramLabel = "N", defaultValue = "1.5", description = "How long calls are written and faults happen, such as 2 or 0.5 (default: ${DEFAULT-VALUE}).") BigDecimal minutes,
            @Option(names = "--seed", paramLabel = "N", description = "Of calls and faults (default: another one each time; it is printed).") @Nullable Long seed,
            @Option(names = "--calls-per-second", paramLabel = "N", defaultValue = "50", description = "How many calls are written (default: ${DEFAULT-VALUE}).") int callsPerSecond,
            @Option(names = "--faults", paramLabel = "KIND", split = ",", description = "Which faults, of the above, or 'all' (default: kill,stop,freeze,broker, and host with Node; with gateways kill,gateway; with session services kill,stop,broker,session).") @Nullable List<String> faults,
            @Option(names = "--brokers", paramLabel = "N", defaultValue = "1", description = "1 or 3 brokers (default: ${DEFAULT-VALUE}); of three, one at a time is away.") int brokers,
            @Option(names = "--gateways", paramLabel = "N", defaultValue = "0", description = "How many gateways to call over, 1 to 4, with clients that repeat their requests (default: ${DEFAULT-VALUE}, calls are written to the topic).") int gateways,
            @Option(names = "--sessions", paramLabel = "N", defaultValue = "0", description = "How many session services to run, 1 to 4 (default: ${DEFAULT-VALUE}, none).") int sessions,
            @Option(names = "--handlers", paramLabel = "LANGUAGE", defaultValue = "java", description = "java, or node for tools in JavaScript, in processes of their own (default: ${DEFAULT-VALUE}).") String handlers,
            @Option(names = "--labels", description = "Tools add labels or send, under a guarded policy.") boolean labels,
            @Option(names = "--json", paramLabel = "FILE", description = "Writes the whole report there too.") @Nullable Path json) {
        CrashOptions options = BenchRun.options(
                () -> new CrashOptions(Duration.ofMillis(minutes.multiply(SECONDS).movePointRight(3).longValue()),
                        seed == null ? System.currentTimeMillis() % 1_000_000 : seed, callsPerSecond,
                        faults(faults, gateways > 0, sessions > 0, EffectHandlers.of(handlers)), brokers, gateways,
                        sessions, EffectHandlers.of(handlers), labels));
        return CrashBench.run(options, Optional.ofNullable(json), context.terminal());
    }

    private static Set<FaultKind> faults(@Nullable List<String> names, boolean gateways, boolean sessions,
            EffectHandlers handlers) {
        if (names != null)
            return FaultKind.parse(names, gateways);
        if (sessions && !gateways && handlers == EffectHandlers.JAVA)
            return FaultKind.usualWithSessions();
        if (!gateways && handlers == EffectHandlers.NODE)
            return FaultKind.usualWithHosts();
        return gateways ? FaultKind.usualWithGateways() : FaultKind.usual();
    }

    /// `bench sessions`.
    @Command(name = "sessions", header = "Measures the session service beside a worker.", description = {"",
            "Starts a broker, and one after the other a worker and a session service as processes of their own, on"
                    + " 127.0.0.1 and with temporary data. The worker drains calls of a tool that does nothing; the service"
                    + " drains their results, with the messages that runtimes have written for the calls. Then both work at"
                    + " a steady rate, and the time from each result to its message is measured. Then the service starts"
                    + " without its state, and reads it back.",
            "", "Exit codes: 0 every result has its message, 1 one has none or the run could not be done,",
            "2 an option cannot be used."}, footer = {"", "Examples:", "  toolfleet bench sessions",
                    "  toolfleet bench sessions --calls 500000 --messages 1000000"})
    int sessions(
            @Option(names = "--calls", paramLabel = "N", defaultValue = "200000", description = "How many calls are drained (default: ${DEFAULT-VALUE}).") int calls,
            @Option(names = "--rate", paramLabel = "N", defaultValue = "500", description = "How many results a second while the latency is measured (default: ${DEFAULT-VALUE}).") int rate,
            @Option(names = "--seconds", paramLabel = "N", defaultValue = "20", description = "How long it is measured (default: ${DEFAULT-VALUE}).") int seconds,
            @Option(names = "--messages", paramLabel = "N", defaultValue = "100000", description = "How many messages the state has that is read back (default: ${DEFAULT-VALUE}).") int messages) {
        SessionsOptions options = BenchRun
                .options(() -> new SessionsOptions(calls, rate, Duration.ofSeconds(seconds), messages));
        return SessionsBench.run(options, context.terminal());
    }

    /// `bench memory`.
    @Command(name = "memory", header = "Makes many calls through one worker, and looks at what they leave on its heap.", description = {
            "",
            "Starts a broker and one worker as processes of their own, on 127.0.0.1 and with temporary data, and makes"
                    + " calls of tools that do nothing (read-only, idempotent, and neither), 50 to an instance. Ten times,"
                    + " when all calls are answered, the worker collects its garbage and says how much lives."
                    + " Its deduplication windows hold 1,000 answers for each of 12 partitions, so that they are full soon.",
            "",
            "Exit codes: 0 calls leave less than 6 bytes behind each, 1 they leave more or the run could not be done,",
            "2 an option cannot be used."}, footer = {"", "Examples:", "  toolfleet bench memory",
                    "  toolfleet bench memory --calls 100000"})
    int memory(
            @Option(names = "--calls", paramLabel = "N", defaultValue = "1000000", description = "How many calls (default: ${DEFAULT-VALUE}).") int calls) {
        MemoryOptions options = BenchRun.options(() -> new MemoryOptions(calls));
        return MemoryBench.run(options, context.terminal());
    }

    /// `bench micro`.
    @Command(name = "micro", header = "Measures what single steps cost, such as one decision of a policy of 500 rules.", description = {
            "",
            "Runs JMH (5 iterations of 1 s after 3 of warm-up), each measurement in a process of its own, and prints"
                    + " the average time with half the width of its 99.9 %% confidence interval. It needs no broker."}, footer = {
                            "", "Examples:", "  toolfleet bench micro", "  toolfleet bench micro policy", "",
                            "Exit codes: 0 nothing took longer than it may, 1 something did or the run could not be done,",
                            "2 there is no such micro-benchmark."})
    int micro(
            @Parameters(paramLabel = "NAME", arity = "0..*", description = "Which, of policy,call (default: all).") @Nullable List<String> names) {
        return new MicroBench(names == null ? List.of() : names, context.terminal()).run();
    }

    /// `bench pending`.
    @Command(name = "pending", header = "Makes many calls pending at one worker, looks at what they take of it, and completes them.", description = {
            "",
            "Starts a broker and one worker as processes of their own, on 127.0.0.1 and with temporary data. Some calls"
                    + " come and go first. Then calls of a tool that must not run twice are made until so many are"
                    + " pending at a time, and the work of each reports its progress once. Before that and after it the"
                    + " worker collects its garbage and says how much lives and which threads it has. At last all are"
                    + " completed, the worker is stopped, and final results are counted.",
            "",
            "Exit codes: 0 the handles took less than 1,000 bytes of heap each and no thread, and each call ended once;"
                    + " 1 not so, or the run could not be done,",
            "2 an option cannot be used."}, footer = {"", "Examples:", "  toolfleet bench pending",
                    "  toolfleet bench pending --handles 5000"})
    int pending(
            @Option(names = "--handles", paramLabel = "N", defaultValue = "50000", description = "How many calls are pending at a time (default: ${DEFAULT-VALUE}).") int handles) {
        PendingOptions options = BenchRun.options(() -> new PendingOptions(handles));
        return PendingBench.run(options, context.terminal());
    }

    /// `bench steps`.
    @Command(name = "steps", header = "Announces steps at a steady rate, and measures how soon each has its catalog.", description = {
            "",
            "Starts a broker and a catalog service as processes of their own, on 127.0.0.1 and with temporary data, and"
                    + " announces steps of 2,000 instances of an agent with 30 tools, whose schemas have 40 KB. The time"
                    + " goes from a step's sending to its catalog being read under read_committed. Given"
                    + " client properties, it measures them one after the other, 8 s of warm-up before each and 25 s before the first, so that"
                    + " they can be compared.",
            "",
            "Exit codes: 0 every step was answered, and with the first settings 99 of 100 within 80 ms,",
            "1 not so, or the run could not be done, 2 an option cannot be used."}, footer = {"", "Examples:",
                    "  toolfleet bench steps",
                    "  toolfleet bench steps --seconds 10 --kafka commit.interval.ms=20 --kafka commit.interval.ms=100"})
    int steps(
            @Option(names = "--rate", paramLabel = "N", defaultValue = "500", description = "Steps a second (default: ${DEFAULT-VALUE}).") int rate,
            @Option(names = "--seconds", paramLabel = "N", defaultValue = "30", description = "How long to measure with each interval (default: ${DEFAULT-VALUE}).") int seconds,
            @Option(names = "--kafka", paramLabel = "KEY=VALUE[,...]", description = "Client properties of the catalog service; may be given more than once, to compare (default: its own).") @Nullable List<String> kafka) {
        StepsOptions options = BenchRun.options(() -> new StepsOptions(rate, Duration.ofSeconds(seconds),
                kafka == null ? List.of(Map.of()) : kafka.stream().map(BenchCommand::properties).toList()));
        return StepsBench.run(options, context.terminal());
    }

    private static Map<String, String> properties(String pairs) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String pair : pairs.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1)
                throw new IllegalArgumentException("--kafka '" + pair + "' is not KEY=VALUE");
            properties.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return properties;
    }
}
