package dev.toolfleet.worker.registration;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.RegistrationPlan;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.registry.OfferedTools;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loop that writes the published tools of extensions to `tool.resource`, while this worker is the writer.
///
/// **Contract.** The writer is the owner of partition 0 of `tool.call`: the group has exactly one, and another one
/// within a session timeout when it dies.
///
/// **Threads.** One platform thread owns a transactional producer whose id all workers of the group share. A worker
/// that takes it over fences the one before, ends its open transactions, and only then reads the topic. So there is one
/// writer, even while two workers count themselves as the writer. See `docs/decisions/0017`.
final class RegistrationLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrationLoop.class);
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);
    /// Longest delay until a change is written; the changes of one turn go together.
    private static final Duration TURN = Duration.ofMillis(250);
    private static final Duration BACKOFF = Duration.ofSeconds(1);
    private static final Duration READ = Duration.ofSeconds(15);

    /// The worker as this loop needs it.
    public interface Fleet {
        /// Returns the offers of this worker's extensions.
        List<OfferedTools> offered();

        /// Returns a number that grows with each change of these offers.
        long changes();

        /// Returns `tool.resource` as far as it was read.
        FleetResources resources();

        /// Completes once everything that was written before this call is read, including transactions that were open.
        CompletableFuture<Void> readToItsEnd();
    }

    /// Names and lease of the writer.
    ///
    /// @param topic the name of `tool.resource`
    /// @param worker this worker's name
    /// @param lease of its registrations; renewed each third of it
    public record Setup(String topic, String worker, Duration lease) {}

    /// State of the writer.
    private record Held(Producer<byte[], byte[]> producer, RegistrationWriter tenure) {}

    private final Setup setup;
    private final BooleanSupplier elected;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Fleet fleet;
    private final InstantSource clock;
    private final Thread thread = Thread.ofPlatform().name("registrations").daemon().unstarted(this::run);
    private volatile boolean stopping;
    private @Nullable Held held;
    private Instant renewAt = Instant.MIN;
    private long seenChanges;

    /// Creates a loop; [#start] starts it.
    ///
    /// @param elected true if this worker is the writer, as far as it knows
    public RegistrationLoop(Setup setup, BooleanSupplier elected, Supplier<Producer<byte[], byte[]>> producers,
            Fleet fleet, InstantSource clock) {
        this.setup = setup;
        this.elected = elected;
        this.producers = producers;
        this.fleet = fleet;
        this.clock = clock;
    }

    /// Starts the thread.
    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!stopping)
                Thread.sleep(turn());
        } catch (InterruptedException e) {
            // The loop is closed.
        } finally {
            resign();
        }
    }

    private Duration turn() throws InterruptedException {
        try {
            if (!elected.getAsBoolean()) {
                resign();
            } else if (held != null) {
                write(held);
            } else if (!fleet.offered().isEmpty() || !fleet.resources().registrations().isEmpty()) {
                takeOver();
            }
            return TURN;
        } catch (RuntimeException | ExecutionException | TimeoutException e) {
            // Another writer has fenced this one, or the broker does not answer: the committed records are read again.
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString())
                    .log("registrations could not be written, trying again");
            resign();
            return BACKOFF;
        }
    }

    private void takeOver() throws InterruptedException, ExecutionException, TimeoutException {
        Producer<byte[], byte[]> producer = producers.get();
        try {
            producer.initTransactions();
            fleet.readToItsEnd().get(READ.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RuntimeException | InterruptedException | ExecutionException | TimeoutException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
        held = new Held(producer,
                new RegistrationWriter(setup.worker(), setup.lease(), clock.instant(), fleet.resources()));
        renewAt = Instant.MIN;
        LOG.atInfo().addKeyValue(LogKeys.WORKER, setup.worker()).log("this worker now writes the registrations");
        write(held);
    }

    private void write(Held by) {
        Instant now = clock.instant();
        boolean renew = !now.isBefore(renewAt);
        long changes = fleet.changes();
        if (changes == seenChanges && !renew)
            return;
        List<RegistrationPlan> plans = by.tenure().due(fleet.offered(), now, renew);
        if (!plans.isEmpty())
            commit(by, plans);
        seenChanges = changes;
        if (renew)
            renewAt = now.plus(setup.lease().dividedBy(3));
    }

    private void commit(Held by, List<RegistrationPlan> plans) {
        by.producer().beginTransaction();
        try {
            plans.forEach(plan -> plan.entries().forEach(entry -> send(by.producer(), entry)));
            by.producer().commitTransaction();
        } catch (RuntimeException e) {
            abort(by.producer());
            throw e;
        }
        plans.forEach(by.tenure()::wrote);
    }

    /// Aborts. Otherwise: readers of committed records wait for the open transaction until it times out.
    private static void abort(Producer<byte[], byte[]> producer) {
        try {
            producer.abortTransaction();
        } catch (RuntimeException e) {
            LOG.atDebug().addKeyValue(LogKeys.REASON, e.toString()).log("transaction of registrations not aborted");
        }
    }

    private void send(Producer<byte[], byte[]> producer, RevisionPlan.Entry entry) {
        ResourceRecord value = entry.value();
        Instant now = clock.instant();
        Map<String, String> headers = WireHeaders.cloudEvent(EventType.TOOL_RESOURCE,
                entry.key() + "@" + now.toEpochMilli(), "/toolfleet/worker/" + setup.worker(), entry.key(), now, null);
        // The commit throws the failure of a send.
        var _ = producer.send(new ProducerRecord<>(setup.topic(), 0, entry.key().getBytes(StandardCharsets.UTF_8),
                value == null ? null : CODEC.write(value), KafkaHeaders.of(headers)));
    }

    private void resign() {
        Held last = held;
        held = null;
        if (last != null)
            last.producer().close(Duration.ZERO);
    }

    /// Ends the thread. Its registrations stay until their lease ends, for the next writer to continue.
    @Override
    public void close() {
        stopping = true;
        thread.interrupt();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
