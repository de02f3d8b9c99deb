package dev.toolfleet.worker.app;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

import dev.toolfleet.worker.telemetry.LogKeys;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One worker of a fleet, from start to drained end. Start it once, close it once; both may be called from any thread.
public final class Worker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final long CHECK_MILLIS = 20;

    private final WorkerConfig config;
    private final Wiring parts;
    private final Optional<WorkerHttp> http;

    private Worker(WorkerConfig config, Wiring parts, Optional<WorkerHttp> http) {
        this.config = config;
        this.parts = parts;
        this.http = http;
    }

    /// The same as [#start(WorkerConfig)] for a process of its own: it answers over HTTP from before it starts until it
    /// has stopped, with its meters and those of the process.
    ///
    /// @throws dev.toolfleet.config.ConfigException when the port cannot be had
    public static Worker serve(WorkerConfig config) {
        if (config.http().isEmpty())
            return start(config);
        WorkerHttp http = WorkerHttp.open(config.http().get());
        try {
            http.start();
            return start(config, http.registry(), InstantSource.system(), Optional.of(http));
        } catch (RuntimeException e) {
            http.close();
            throw e;
        }
    }

    /// Checks the topics, takes over what state there is, joins the group. Returns when the worker runs; [#awaitReady]
    /// waits until it has partitions.
    ///
    /// @throws dev.toolfleet.client.topics.FleetTopicsException when the broker cannot be reached or topics are missing
    /// @throws java.io.UncheckedIOException when the workspace cannot be written
    /// @throws IllegalStateException when the resources cannot be read in time
    public static Worker start(WorkerConfig config) {
        return start(config, new SimpleMeterRegistry());
    }

    /// The same for a worker that others watch.
    ///
    /// @param registry gets its meters, which [dev.toolfleet.worker.telemetry.WorkerMeters] names, until it is closed; for this
    /// worker alone
    public static Worker start(WorkerConfig config, MeterRegistry registry) {
        return start(config, registry, InstantSource.system());
    }

    /// The same with a clock of its own, for tests: deadlines, heartbeats and what is kept for how long go by it, and
    /// what waits for brokers and other workers does not.
    public static Worker start(WorkerConfig config, MeterRegistry registry, InstantSource clock) {
        return start(config, registry, clock, Optional.empty());
    }

    private static Worker start(WorkerConfig config, MeterRegistry registry, InstantSource clock,
            Optional<WorkerHttp> http) {
        Wiring parts = Wiring.of(config, registry, clock);
        try {
            parts.start();
        } catch (RuntimeException e) {
            parts.stop();
            throw e;
        }
        LOG.atInfo().addKeyValue(LogKeys.WORKER, config.identity().name()).log("worker started");
        http.ifPresent(answers -> answers.started(parts));
        return new Worker(config, parts, http);
    }

    /// The address of its HTTP server, as `http://host:port`; empty for nowhere.
    public Optional<String> url() {
        return http.map(WorkerHttp::url);
    }

    /// Waits until the worker is ready.
    ///
    /// @return false when it was not in time; see [#notReady]
    public boolean awaitReady(Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        while (!isReady()) {
            if (System.nanoTime() > until)
                return false;
            Thread.sleep(CHECK_MILLIS);
        }
        return true;
    }

    /// True if the worker is in its group, every partition that it owns has started, it could load every declared tool and
    /// extension, finished calls can be committed, and not too many handlers ignore their interrupt.
    public boolean isReady() {
        return notReady().isEmpty();
    }

    /// Why the worker is not ready, one sentence each; empty when it is. For people: sentences may change with releases.
    public List<String> notReady() {
        return parts.readiness().reasons();
    }

    /// Declarations that cannot be run here, and the reasons: by `bundle/Tool`, `bundle/Extension`, or a registered tool's
    /// namespace and name.
    public Map<String, String> problems() {
        return parts.registry().problems();
    }

    /// Tools that extensions of this worker published and no agent is shown, and the reasons, by namespace and name. Does not make the
    /// worker unready.
    public Map<String, String> leftOut() {
        return parts.registry().leftOut();
    }

    /// Weak points and their remedies, one sentence each: walls around commands that this system cannot build. Does not make the worker unready. For people: sentences may change with releases.
    public List<String> notices() {
        return parts.notices();
    }

    /// The revision of a bundle that this worker has loaded; 0 for none.
    public long revision(String bundle) {
        return parts.registry().revision(bundle);
    }

    /// Calls queued or running.
    public int inFlight() {
        return parts.inFlight();
    }

    /// Done when the worker has stopped; exceptionally when it broke.
    public CompletableFuture<Void> ended() {
        return parts.loops().ended();
    }

    /// Completes, with the reason, once a tool requests that this process ends and is started again; close the worker then. Until
    /// a caller has taken this, such requests are refused.
    public CompletableFuture<String> restart() {
        return parts.restarts().attend();
    }

    /// Drains: starts no call, interrupts those that another worker may run again, lets the others end for up to
    /// `drain.timeout`, interrupts what still runs, commits what finished, leaves the group.
    @Override
    public void close() {
        long started = System.nanoTime();
        parts.loops().drain();
        // A call that is interrupted makes room in its lane: nothing may be left there to start and so overtake it.
        await(config.life().drainTimeout(), parts.loops()::isDraining);
        parts.handlers().drain();
        await(config.life().drainTimeout(), parts::drained);
        parts.handlers().stop();
        await(Duration.ofSeconds(3), parts::drained);
        parts.stop();
        http.ifPresent(WorkerHttp::close);
        LOG.atInfo().addKeyValue(LogKeys.WORKER, config.identity().name())
                .addKeyValue(LogKeys.MILLIS, (System.nanoTime() - started) / 1_000_000).log("worker stopped");
    }

    private void await(Duration atMost, BooleanSupplier condition) {
        long until = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < until && !ended().isDone()) {
            try {
                Thread.sleep(CHECK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
