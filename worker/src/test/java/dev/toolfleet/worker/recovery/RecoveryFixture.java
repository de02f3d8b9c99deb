package dev.toolfleet.worker.recovery;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolResult;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A call that an earlier owner of its partition may have run, and a recovery that hears of that owner.
abstract class RecoveryFixture {
    static final Position POSITION = new Position(3, 7, 42);
    static final long EPOCH = 5;
    static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");
    static final Instant DEADLINE = STARTED.plusSeconds(30);

    final DeadlineLoop deadlines = new DeadlineLoop();
    final Ownership ownership = ownership();
    final FakeEarlierOwners owners = new FakeEarlierOwners();
    final List<ToolReply> abandoned = new ArrayList<>();
    final Recalled run = Identified.of(IdentifiedCall.of(new Arrival.Call(POSITION,
            ToolCall.of("c1", "t__run", JsonNodeFactory.instance.objectNode().put("n", 1), "i").inStep("coder", "turn",
                    "step", 0),
            0, null, 10)), 0).recalledBy(null);
    Instant now = STARTED;
    Duration ahead = Duration.ZERO;
    boolean leaving;
    @Nullable
    Boolean repeatable;
    @Nullable
    Integer deaths;
    @Nullable
    String heir;
    final FakeInheritance inheritance = new FakeInheritance();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    CancelReplies.Source cancelled = CancelReplies.Source.NONE;
    Runnable whenReconciled = () -> {};
    @Nullable
    Reconciliation answer = Reconciliation.unknown();
    final List<String> asked = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        deadlines.close();
    }

    Entry settle() {
        return recovery().settle(run, intent(), abandoned::add);
    }

    CallIntent intent() {
        return new CallIntent(identity(), run.call().fingerprint(), "t__run", 1, "w1", EPOCH, STARTED, "m1", DEADLINE,
                new ToolRef("acme", "t", "run"), repeatable, null, deaths, heir);
    }

    Recovery recovery() {
        InstantSource clock = () -> now.plus(ahead);
        ToolModule module = new ToolModule() {
            @Override
            public Map<String, ToolHandler> handlers() {
                return Map.of("run", (ctx, input) -> null);
            }

            @Override
            public Reconciliation reconcile(String export, ToolContext context, ObjectNode input) {
                asked.add(export + " " + input);
                whenReconciled.run();
                if (answer == null)
                    throw new IllegalStateException("the ledger does not answer");
                return answer;
            }
        };
        HandlerExecutor handlers = new HandlerExecutor(deadlines, new RunningHandlers(),
                new AbandonedHandlers(new WorkerMeters(new SimpleMeterRegistry())), ownership,
                new CancelReplies(cancelled, new WorkerMeters(new SimpleMeterRegistry())), clock, Duration.ofSeconds(2),
                System::nanoTime);
        return new Recovery(owners, ownership, TestResources.registry(module, false),
                new ReconcileInquiry(handlers),
                new HandlerCalls(new Workspace(folder, clock), ownership, clock, Duration.ofSeconds(30),
                        new ProgressReports(new RecordWriter(new Topics(""), "w2", clock), ResultGuard.NONE,
                                record -> {}, deadlines, clock, System::nanoTime)),
                inheritance, () -> leaving, () -> Duration.between(STARTED, now).toNanos(), new WorkerMeters(meters));
    }

    String identity() {
        return run.call().identity().text();
    }

    HandOver handOver(int attempt, String member, @Nullable ToolResult result) {
        return new HandOver(identity(), member, EPOCH, attempt, result, null, null);
    }

    ToolResult ok() {
        return new ToolResult("c1", "t__run", ResultStatus.OK,
                JsonNodeFactory.instance.objectNode().put("done", "there"), null, null, "i", "coder", "turn", "step", 1,
                false, run.call().fingerprint(), 42, null, null);
    }

    static String code(Entry entry) {
        return ((ToolReply.Failed) ((Entry.Ended) entry).reply()).error().code();
    }

    static Ownership ownership() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            Ownership ownership = new Ownership(member.groupMetadata());
            ownership.publish(new Ownership.Snapshot(member.groupMetadata(), Map.of(3, 7L)));
            return ownership;
        }
    }
}
