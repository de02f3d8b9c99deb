package dev.toolfleet.worker.app;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.catalog.CatalogGate;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.pipeline.HandlerCalls;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/// The worker's pipeline without a broker: one process, nothing published, nothing survives it. For trying a tool out.
/// Thread-safe.
public final class LocalFleet implements AutoCloseable {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final WireCodec<ResourceRecord> RESOURCES = WireCodec.of(ResourceRecord.class);
    private static final long EPOCH = 1;
    private static final Duration STOP = Duration.ofSeconds(3);
    private static final long CHECK_MILLIS = 20;

    private final String resultTopic;
    private final Sandbox sandbox;
    private final CallParts calls;
    private final Lanes lanes;
    private final AtomicLong offsets = new AtomicLong();
    private final Map<Long, CompletableFuture<ToolResult>> waiting = new ConcurrentHashMap<>();

    /// A fleet of one over what bundles declare. Returns when their modules have loaded or failed, 30 s at most after it
    /// was called where one hangs.
    ///
    /// @param config its Kafka part is not used; its catalog mode must not be `step`, since no service publishes catalogs
    /// @param resources the records of each bundle's revision, by key, the *revision active* record last
    /// @throws IllegalStateException when it is interrupted meanwhile
    public LocalFleet(WorkerConfig config, List<RevisionPlan.Entry> resources) {
        InstantSource clock = InstantSource.system();
        this.resultTopic = config.topics().name(Topic.RESULT);
        this.sandbox = Sandbox.prepare(config.folders().sandbox(), config.folders().workspace());
        Ownership ownership;
        try (MockConsumer<byte[], byte[]> nobody = new MockConsumer<>("earliest")) {
            ownership = new Ownership(nobody.groupMetadata());
        }
        ownership.publish(new Ownership.Snapshot(ownership.current().group(), Map.of(0, EPOCH)));
        this.calls = new CallParts(config, ownership, new PartitionStates(),
                new CallParts.Host(Restarts.NONE, sandbox, new Workspace(config.folders().workspace(), clock),
                        HandlerCalls.Agents.NONE, OAuthRoom.none(), ChangesetRoom.none()),
                CatalogGate.CatchUp.NOTHING, clock, new WorkerMeters(new SimpleMeterRegistry()));
        resources.forEach(this::apply);
        awaitModules();
        this.lanes = new Lanes(config.lanes(), ownership, calls::isReadOnly, calls.pipelines().local(this::ended));
    }

    /// Takes the next record of a bundle, whose modules begin to load.
    void apply(RevisionPlan.Entry entry) {
        calls.registry().apply(entry.key(), entry.value() == null ? null : RESOURCES.write(entry.value()));
    }

    private void awaitModules() {
        try {
            calls.registry().awaitLoaded();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            calls.close();
            sandbox.close();
            throw new IllegalStateException("interrupted while the bundles' modules were loaded", e);
        }
    }

    /// Tools that could not be loaded, and the reasons, by `bundle/Tool`.
    public Map<String, String> problems() {
        return calls.problems();
    }

    /// Runs one call to its result.
    ///
    /// @throws TimeoutException when it had none in time
    public ToolResult call(ToolCall call, Duration atMost) throws InterruptedException, TimeoutException {
        long offset = offsets.getAndIncrement();
        CompletableFuture<ToolResult> result = new CompletableFuture<>();
        waiting.put(offset, result);
        Arrival arrival = new Arrival.Call(new Position(0, EPOCH, offset), call, Instant.now().toEpochMilli(), null, 0);
        try {
            if (!lanes.offer(arrival))
                throw new IllegalStateException("too many calls at once");
            return result.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            waiting.remove(offset);
        }
    }

    private void ended(Outcome outcome) {
        CompletableFuture<ToolResult> result = waiting.get(outcome.position().offset());
        if (result == null)
            return;
        for (ProducerRecord<byte[], byte[]> record : outcome.records()) {
            if (record.topic().equals(resultTopic))
                result.complete(RESULTS.read(record.value()));
        }
    }

    /// Interrupts what runs and waits until it has ended, its processes included, for at most three seconds.
    @Override
    public void close() {
        calls.handlers().running().stop();
        awaitIdle();
        calls.close();
        sandbox.close();
    }

    private void awaitIdle() {
        boolean interrupted = Thread.interrupted();
        long until = System.nanoTime() + STOP.toNanos();
        while (lanes.inFlight() > 0 && System.nanoTime() - until < 0) {
            try {
                Thread.sleep(CHECK_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted)
            Thread.currentThread().interrupt();
    }
}
