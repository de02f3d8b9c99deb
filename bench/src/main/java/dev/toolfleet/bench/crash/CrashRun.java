package dev.toolfleet.bench.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import dev.toolfleet.bench.caller.GatewayCaller;
import dev.toolfleet.bench.effect.EffectFiles;
import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.fault.FaultSchedule;
import dev.toolfleet.bench.fleet.AheadClock;
import dev.toolfleet.bench.fleet.CrashBundle;
import dev.toolfleet.bench.fleet.CrashFleet;
import dev.toolfleet.bench.fleet.GatewaySlot;
import dev.toolfleet.bench.fleet.RunFolder;
import dev.toolfleet.bench.fleet.TakeOverTimes;
import dev.toolfleet.bench.load.CallPlan;
import dev.toolfleet.bench.verdict.CrashReport;
import dev.toolfleet.bench.verdict.CrashVerdict;
import dev.toolfleet.bench.verdict.Rules;
import dev.toolfleet.bench.verdict.RunFacts;
import dev.toolfleet.bench.verdict.SessionFacts;

/// A run: a fleet of processes, calls, meanwhile faults, and the verdict. Used once, by one thread; an interrupt ends
/// it and all of its processes.
public final class CrashRun {
    private static final Duration TELL_EVERY = Duration.ofSeconds(5);
    private static final Duration NO_PROGRESS = Duration.ofSeconds(90);
    /// After this no call of a deleted topic is answered any more.
    private static final Duration SETTLE = Duration.ofSeconds(20);
    /// The patience of a client over HTTP with its call.
    private static final Duration CLIENT = Duration.ofMinutes(4);
    private static final InstantSource CLOCK = InstantSource.system();

    private final CrashOptions options;
    private final Path root;
    private final Consumer<String> progress;
    private final AwaitedCalls open = new AwaitedCalls();

    /// @param root an empty folder for all that the run writes
    /// @param progress is told, line by line, how the run goes on
    public CrashRun(CrashOptions options, Path root, Consumer<String> progress) {
        this.options = options;
        this.root = root;
        this.progress = progress;
    }

    /// Runs.
    ///
    /// @throws IllegalStateException when the run itself could not be done
    public CrashReport run() throws IOException, InterruptedException {
        if (options.faults().contains(FaultKind.CLOCK))
            AheadClock.check();
        RunFolder folder = RunFolder.create(root);
        progress.accept("starting " + (options.brokers() == 1 ? "a broker" : options.brokers() + " brokers")
                + ", a catalog service, " + CrashFleet.WORKERS + " workers, " + options.gateways() + " gateways and "
                + options.sessions() + " session services ...");
        CallLedger ledger = new CallLedger();
        try (CrashFleet fleet = CrashFleet.start(folder, options.brokers(), options.gateways(),
                options.sessions(), new CrashBundle(options.handlers(), options.labels()));
                ClusterCommands cluster = new ClusterCommands(fleet.bootstrapServers(), CrashFleet.GROUP);
                Outside outside = new Outside(fleet.bootstrapServers(), fleet.topics(), ledger, CLOCK);
                CallSource feed = source(fleet, ledger);
                ResultFollower watch = ResultFollower.start(fleet.bootstrapServers(), fleet.topics(),
                        new ResultFollower.Listeners(open, outside, feed::published, records(ledger)), CLOCK)) {
            FaultInjector injector = new FaultInjector(fleet, feed, cluster, CLOCK);
            disturb(feed, injector, watch);
            FactReader reader = new FactReader(fleet.bootstrapServers(), fleet.topics());
            awaitAnswers(injector, watch, reader);
            progress.accept("stopping the workers and reading the topics ...");
            fleet.stopWorkers();
            SessionFacts sessions = options.sessions() == 0
                    ? SessionFacts.NONE
                    : new SessionFactReader(fleet.bootstrapServers(), fleet.topics()).settled(NO_PROGRESS);
            RunFacts facts = new RunFacts(feed.facts(reader), ledger.gone(feed.deletedTopics(), reader.calls()),
                    reader.results(watch), EffectFiles.read(folder.effects()), watch.intents(), outside.decisions(),
                    injector.faults(), injector.collapsed(), TakeOverTimes.read(folder), feed.clients(), sessions);
            return CrashVerdict.of(facts, Rules.of(options.faults(), CrashFleet.SESSION_TIMEOUT, options.labels()));
        }
    }

    private CallSource source(CrashFleet fleet, CallLedger ledger) {
        return options.gateways() == 0
                ? new CallWriter(fleet.bootstrapServers(), fleet.topics(), open, ledger)
                : new ClientFeed(new GatewayCaller(fleet.gateways().stream().map(GatewaySlot::uri).toList(), CLIENT),
                        ledger, CLOCK);
    }

    /// A gateway may append a repeated request once more: each record is owed its result.
    private Optional<Consumer<String>> records(CallLedger ledger) {
        return options.gateways() == 0
                ? Optional.empty()
                : Optional.of(id -> ledger.call(id)
                        .ifPresent(call -> open.sent(id, call.work().course().deferred())));
    }

    private void disturb(CallSource feed, FaultInjector injector, ResultFollower watch) throws InterruptedException {
        Instant start = CLOCK.instant();
        CallPlan plan = new CallPlan(new SplittableRandom(options.seed()), options.callsPerSecond(),
                options.labels());
        FaultSchedule schedule = new FaultSchedule(options.seed(), options.faults(), CrashFleet.WORKERS,
                CrashFleet.SESSION_TIMEOUT);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> calls = threads.submit(task(() -> feed.run(plan, options.duration())));
            Future<?> faults = threads.submit(task(() -> injector.run(schedule, start.plus(options.duration()))));
            try {
                while (!calls.isDone() || !faults.isDone()) {
                    awaitEnd(calls.isDone() ? faults : calls, TELL_EVERY);
                    watch.check();
                    tell(start, injector);
                    if (faults.isDone())
                        get(faults);
                }
                get(calls);
                get(faults);
            } finally {
                threads.shutdownNow();
            }
        }
        feed.problem().ifPresent(failure -> {
            throw new IllegalStateException("a call could not be written: " + failure, failure);
        });
    }

    private void awaitAnswers(FaultInjector injector, ResultFollower watch, FactReader reader)
            throws InterruptedException {
        injector.replaceCollapsed();
        progress.accept("no more calls and faults; waiting for " + open.open() + " answers ...");
        int answered = open.answered();
        long settled = System.nanoTime() + SETTLE.toNanos();
        long giveUp = System.nanoTime() + NO_PROGRESS.toNanos();
        while (((open.open() > 0 || isBehind(reader)) && System.nanoTime() < giveUp)
                || (open.doubtful() > 0 && System.nanoTime() < settled)) {
            Thread.sleep(100);
            watch.check();
            if (open.answered() > answered) {
                answered = open.answered();
                giveUp = System.nanoTime() + NO_PROGRESS.toNanos();
            }
        }
        if (open.open() > 0)
            progress.accept("no answer came for " + NO_PROGRESS.toSeconds() + " s; without one are " + open.open()
                    + " calls, " + open.some(5));
    }

    /// True if records of calls, which only a reader of the topic knows, were not followed yet.
    private boolean isBehind(FactReader reader) {
        return options.gateways() > 0 && open.sent() < reader.calls().size();
    }

    private void tell(Instant start, FaultInjector injector) {
        long seconds = Duration.between(start, CLOCK.instant()).toSeconds();
        progress.accept(String.format(Locale.ROOT, "%d:%02d  calls %d  results %d  waiting %d  faults %d, newest: %s",
                seconds / 60, seconds % 60, open.sent(), open.answered(), open.open(), injector.faults().size(),
                injector.now()));
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static Callable<Boolean> task(Work work) {
        return () -> {
            work.run();
            return true;
        };
    }

    private static void awaitEnd(Future<?> task, Duration atMost) throws InterruptedException {
        try {
            task.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // It goes on.
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private static void get(Future<?> task) throws InterruptedException {
        try {
            task.get();
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private static RuntimeException failure(ExecutionException e) {
        return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
}
