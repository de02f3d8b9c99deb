package dev.toolfleet.worker.pipeline;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.TestCalls;
import dev.toolfleet.worker.execute.AbandonedHandlers;
import dev.toolfleet.worker.execute.CallWaits;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.execute.DeadlineLoop;
import dev.toolfleet.worker.execute.HandlerExecutor;
import dev.toolfleet.worker.execute.HandlerResult;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.limit.BreakerSignal;
import dev.toolfleet.worker.limit.LimitGate;
import dev.toolfleet.worker.limit.LimitGate.Entry;
import dev.toolfleet.worker.limit.Permit;
import dev.toolfleet.worker.policy.BudgetGate;
import dev.toolfleet.worker.record.ProgressReports;
import dev.toolfleet.worker.record.RecordWriter;
import dev.toolfleet.worker.recovery.Journal;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class HandlerStartsTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
    private static final ToolReply.Failed SWITCHED_OFF = new ToolReply.Failed(
            new ToolError("E_TOOL_DENIED", "ToolDenied", "Switched off.", null, null));
    private static final ToolCall CALL = ToolCall.of("c1", "t__run", JsonNodeFactory.instance.objectNode(), "i")
            .inStep("coder", "turn", "step", 0);

    private final List<String> happened = new ArrayList<>();
    private final DeadlineLoop deadlines = new DeadlineLoop();
    private final WorkerMeters meters = new WorkerMeters(new SimpleMeterRegistry());

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        deadlines.close();
    }

    private final Permit permit = new Permit() {
        @Override
        public void ended(BreakerSignal ending) {
            happened.add("ended");
        }

        @Override
        public boolean heldWhilePending() {
            return false;
        }

        @Override
        public void close() {
            happened.add("closed");
        }
    };

    private final LimitGate queue = asking -> new Entry.Queued(new LimitGate.Turn() {
        @Override
        public Entry.Decided await() {
            return new Entry.Admitted(permit);
        }

        @Override
        public void giveUp() {
            happened.add("given up");
        }
    });

    @Test
    void policyIsAskedAgainOnceACallHasWaitedForItsTurn() {
        assertThat(run(queue, () -> SWITCHED_OFF)).isEqualTo(new HandlerResult.Replied(SWITCHED_OFF, 0));
        assertThat(happened).as("not run, and the slot is free").containsExactly("closed");
    }

    @Test
    void aCallThatIsStillAllowedAfterItsWaitRuns() {
        assertThat(run(queue, () -> null)).isInstanceOfSatisfying(HandlerResult.Replied.class,
                replied -> assertThat(replied.reply()).isInstanceOf(ToolReply.Ok.class));
        assertThat(happened).containsExactly("ran", "ended", "closed");
    }

    @Test
    void aCallThatDidNotWaitIsNotAskedTwice() {
        run(asking -> new Entry.Admitted(permit), () -> {
            throw new AssertionError("asked again");
        });

        assertThat(happened).containsExactly("ran", "ended", "closed");
    }

    private HandlerResult run(LimitGate gate, Supplier<@Nullable ToolReply> policy) {
        Ownership ownership;
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            ownership = new Ownership(member.groupMetadata());
            ownership.publish(new Ownership.Snapshot(member.groupMetadata(), Map.of(3, 7L)));
        }
        ToolRegistry registry = TestResources.registry(() -> Map.of("run", (ctx, input) -> {
            happened.add("ran");
            return ToolOutput.of("done");
        }), true);
        RunningHandlers running = new RunningHandlers();
        CancelReplies cancelling = new CancelReplies(CancelReplies.Source.NONE, meters);
        HandlerExecutor handlers = new HandlerExecutor(deadlines, running, new AbandonedHandlers(meters), ownership,
                cancelling, CLOCK, Duration.ofSeconds(2), System::nanoTime);
        HandlerCalls calls = new HandlerCalls(new Workspace(folder, CLOCK), ownership, CLOCK, Duration.ofSeconds(30),
                new ProgressReports(new RecordWriter(new Topics(""), "w", CLOCK), ResultGuard.NONE, record -> {},
                        deadlines, CLOCK, System::nanoTime));
        Identified run = Identified.of(IdentifiedCall.of(new Arrival.Call(new Position(3, 7, 42), CALL, 0, null, 10)),
                0);
        ToolRef ref = new ToolRef("acme", "t", "run");
        RegisteredTool tool = requireNonNull(registry.acquire(ref));
        HandlerStarts starts = new HandlerStarts(gate, Journal.NONE, handlers,
                new CallWaits(running, ownership, cancelling),
                new HandlerStarts.Again(CLOCK, () -> 0, any -> {}));
        return starts
                .run(new HandlerStarts.Start(TestCalls.allowed(run, tool, ref), CALL, tool, ref, calls, policy,
                        spender(run), late -> {}));
    }

    private static BudgetStage.Spender spender(CallFacts run) {
        return BudgetStage.Spender
                .none(new BudgetStage(BudgetGate.NONE, new WorkerMeters(new SimpleMeterRegistry()).calls(),
                        InstantSource.system()), run, CALL);
    }
}
