package dev.toolfleet.worker.recovery;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.execute.AbandonedHandlers;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.execute.DeadlineLoop;
import dev.toolfleet.worker.execute.HandlerExecutor;
import dev.toolfleet.worker.execute.ReconcileInquiry;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.pipeline.HandlerCalls;
import dev.toolfleet.worker.record.ProgressReports;
import dev.toolfleet.worker.record.RecordWriter;
import dev.toolfleet.worker.recovery.IdentityStage.Entry;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// The call of a dead worker whose tool its heir is still loading.
class LoadingToolRecoveryTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final InstantSource CLOCK = InstantSource.fixed(NOW);

    private final DeadlineLoop deadlines = new DeadlineLoop();
    private final Ownership ownership = ownership();
    private final FakeEarlierOwners owners = new FakeEarlierOwners();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        gate.countDown();
        deadlines.close();
    }

    @Test
    void itsToolIsAskedOnceItHasLoaded() throws Exception {
        FutureTask<Entry> settled = settling();
        gate.countDown();

        assertThat(settled.get(1, TimeUnit.MINUTES)).isInstanceOf(Entry.GoOn.class);
        assertThat(asked).hasValue(1);
    }

    @Test
    void itIsLeftWhenThePartitionIsLostMeanwhile() throws Exception {
        FutureTask<Entry> settled = settling();
        ownership.publish(new Ownership.Snapshot(ownership.current().group(), Map.of()));

        assertThat(settled.get(1, TimeUnit.MINUTES)).isEqualTo(new Entry.Left());
        assertThat(asked).hasValue(0);
    }

    /// Returns when it waits.
    private FutureTask<Entry> settling() {
        owners.member = false;
        FutureTask<Entry> settled = new FutureTask<>(this::settle);
        Thread thread = Thread.ofVirtual().start(settled);
        await().until(() -> settled.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
        assertThat(settled).isNotDone();
        return settled;
    }

    private Entry settle() {
        Recalled run = Identified.of(IdentifiedCall.of(new Arrival.Call(new Position(3, 7, 42),
                ToolCall.of("c1", "t__run", JsonNodeFactory.instance.objectNode(), "i").inStep("coder", "turn", "step",
                        0),
                0, null, 10)), 0).recalledBy(null);
        WorkerMeters meters = new WorkerMeters(new SimpleMeterRegistry());
        HandlerExecutor handlers = new HandlerExecutor(deadlines, new RunningHandlers(), new AbandonedHandlers(meters),
                ownership, new CancelReplies(CancelReplies.Source.NONE, meters), CLOCK, Duration.ofSeconds(2),
                System::nanoTime);
        HandlerCalls calls = new HandlerCalls(new Workspace(folder, CLOCK), ownership, CLOCK, Duration.ofSeconds(30),
                new ProgressReports(new RecordWriter(new Topics(""), "w2", CLOCK), ResultGuard.NONE, record -> {},
                        deadlines, CLOCK, System::nanoTime));
        return new Recovery(owners, ownership, TestResources.loading(new Ledger(), gate),
                new ReconcileInquiry(handlers),
                calls, new FakeInheritance(), () -> false, System::nanoTime, meters).settle(run,
                        new CallIntent(run.call().identity().text(), run.call().fingerprint(), "t__run", 1, "w1", 5,
                                NOW,
                                "m1", NOW.plusSeconds(30), new ToolRef("acme", "t", "run"), null, null,
                                null, null),
                        late -> {});
    }

    /// Knows that the call never happened.
    private final class Ledger implements ToolModule {
        @Override
        public Map<String, ToolHandler> handlers() {
            return Map.of("run", (ctx, input) -> null);
        }

        @Override
        public Reconciliation reconcile(String export, ToolContext context, ObjectNode input) {
            asked.incrementAndGet();
            return Reconciliation.didNotHappen();
        }
    }

    private static Ownership ownership() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            Ownership ownership = new Ownership(member.groupMetadata());
            ownership.publish(new Ownership.Snapshot(member.groupMetadata(), Map.of(3, 7L)));
            return ownership;
        }
    }
}
