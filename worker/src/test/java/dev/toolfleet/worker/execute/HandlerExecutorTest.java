package dev.toolfleet.worker.execute;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class HandlerExecutorTest {
    private static final Position POSITION = new Position(0, 1, 42);
    private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

    private final InstantSource clock = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
    private final DeadlineLoop deadlines = new DeadlineLoop();
    private final RunningHandlers running = new RunningHandlers();
    private final Ownership ownership = owning();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AbandonedHandlers stubborn = new AbandonedHandlers(new WorkerMeters(registry));
    private final HandlerExecutor executor = new HandlerExecutor(deadlines, running, stubborn, ownership,
            Handlers.nobodyCancels(), clock, Duration.ofMinutes(1), System::nanoTime);
    private final BlockingQueue<ToolReply> abandoned = new LinkedBlockingQueue<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path root;

    @AfterEach
    void stop() {
        deadlines.close();
    }

    @Test
    void whatAHandlerReturnsIsTheAnswer() {
        assertThat(ok((ctx, input) -> ToolOutput.of(Map.of("n", 1)))).isEqualTo("{\"n\":1}");
        assertThat(ok((ctx, input) -> ToolOutput.of("text"))).isEqualTo("\"text\"");
        assertThat(ok((ctx, input) -> ToolOutput.of(null))).isEqualTo("null");
        assertThat(ok((ctx, input) -> null)).isEqualTo("null");
        assertThat(running.count()).isZero();
    }

    @Test
    void whateverAHandlerThrowsIsAnErrorOfTheTool() {
        assertThat(error(failing(new IllegalStateException("out of luck"))))
                .satisfies(error -> assertThat(error.code()).isEqualTo("E_TOOL"))
                .satisfies(error -> assertThat(error.name()).isEqualTo("IllegalStateException"))
                .satisfies(error -> assertThat(error.message()).isEqualTo("out of luck"));
        assertThat(error(failing(new AssertionError())).message()).isEqualTo("java.lang.AssertionError");
        assertThat(error(failing(new StackOverflowError("deep"))).code()).isEqualTo("E_TOOL");
        assertThat(error(failing(new OutOfMemoryError("full"))).code()).isEqualTo("E_TOOL");
        assertThat(error(failing(new InterruptedException("own"))).code()).isEqualTo("E_TOOL");
    }

    @Test
    void aToolsOwnErrorKeepsAllThatItSays() {
        ToolError error = error(failing(
                new ToolException("E_NO_BUILD", "no such build").suggestion("List them.")
                        .helpUrl("https://acme.example")));

        assertThat(error.code()).isEqualTo("E_NO_BUILD");
        assertThat(error.message()).isEqualTo("no such build");
        assertThat(error.suggestion()).isEqualTo("List them.");
        assertThat(error.helpUrl()).isEqualTo("https://acme.example");
        assertThat(error(failing(new ToolException(" ", "x"))).code()).isEqualTo("E_TOOL");
    }

    @Test
    void anExceptionWhoseMessageFailsIsSurvived() {
        assertThat(error(failing(new RuntimeException() {
            @Override
            public String getMessage() {
                throw this;
            }
        })).message()).contains("HandlerExecutorTest");
    }

    @Test
    void aCallWhoseDeadlineHasPassedDoesNotStart() {
        AtomicBoolean started = new AtomicBoolean();
        HandlerResult result = executor.run(Handlers.plain((ctx, input) -> {
            started.set(true);
            return null;
        }), call(Duration.ofSeconds(-1)), NOTHING, abandoned::add);

        assertThat(started).isFalse();
        assertThat(((ToolReply.Failed) ((HandlerResult.Replied) result).reply()).error().message())
                .contains("not started");
    }

    @Test
    void aHandlerIsInterruptedAtItsDeadline() throws Exception {
        FutureTask<HandlerResult> run = new FutureTask<>(
                () -> executor.run(Handlers.plain((ctx, input) -> {
                    new CountDownLatch(1).await();
                    return null;
                }), call(Duration.ofMillis(30)), NOTHING, abandoned::add));
        Thread.ofVirtual().start(run);

        assertThat(((HandlerResult.Replied) run.get(60, TimeUnit.SECONDS)).reply()).isInstanceOfSatisfying(
                ToolReply.Failed.class, failed -> {
                    assertThat(failed.error().code()).isEqualTo("E_TOOL_TIMEOUT");
                    assertThat(failed.error().message()).contains("the test's limit");
                    assertThat(failed.error().suggestion()).contains("timeout:").contains("async:");
                });
        assertThat(abandoned).isEmpty();
    }

    @Test
    void aHandlerThatIgnoresItsInterruptIsAnsweredForAfterTheGraceAndItsLateEndIsATimeout() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        HandlerExecutor impatient = new HandlerExecutor(deadlines, running, stubborn, ownership,
                Handlers.nobodyCancels(), clock, Duration.ofMillis(20), System::nanoTime);
        FutureTask<HandlerResult> run = new FutureTask<>(() -> impatient.run(Handlers.plain((ctx, input) -> {
            awaitUninterruptibly(release);
            return ToolOutput.of("late");
        }), call(Duration.ofMillis(20)), NOTHING, abandoned::add));
        Thread.ofVirtual().start(run);

        ToolReply answer = abandoned.poll(60, TimeUnit.SECONDS);
        assertThat(answer).isInstanceOfSatisfying(ToolReply.Failed.class,
                failed -> assertThat(failed.error().code()).isEqualTo("E_TOOL_TIMEOUT"));
        assertThat(stubborn.running()).isEqualTo(1);
        assertThat(registry.get(WorkerMeters.HANDLERS_ABANDONMENTS).counter().count()).isEqualTo(1);
        assertThat(registry.get(WorkerMeters.HANDLERS_LATE).counter().count()).isZero();
        release.countDown();
        assertThat(((HandlerResult.Replied) run.get(60, TimeUnit.SECONDS)).reply())
                .isInstanceOf(ToolReply.Failed.class);
        assertThat(abandoned).as("once").isEmpty();
        assertThat(stubborn.running()).isZero();
        assertThat(registry.get(WorkerMeters.HANDLERS_LATE).counter().count()).isEqualTo(1);
    }

    @Test
    void ofAHandlerThatWasAnsweredForNobodyHearsHowFarItIs() throws Exception {
        List<Progress> told = new CopyOnWriteArrayList<>();
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch said = new CountDownLatch(1);
        ManualTimers timers = new ManualTimers();
        HandlerExecutor impatient = new HandlerExecutor(timers.loop(), running, stubborn, ownership,
                Handlers.nobodyCancels(), clock, Duration.ofMillis(20), System::nanoTime);
        AtomicReference<ToolContext> leaked = new AtomicReference<>();
        HandlerCall call = new HandlerCall(ToolCall.of("c1", "t__run", NOTHING, "i"),
                new HandlerCall.Origin(POSITION, 0, "identity", 3, 1),
                new HandlerCall.Limit(clock.instant().plusMillis(20), "the test's limit"),
                new Workspace(requireNonNull(root), clock),
                new CallProgress(told::add, deadlines, new AtomicLong()::incrementAndGet));
        FutureTask<HandlerResult> run = new FutureTask<>(() -> impatient.run(Handlers.plain((ctx, input) -> {
            leaked.set(ctx);
            ctx.progress(1.0, null);
            said.countDown();
            awaitUninterruptibly(release);
            ctx.progress(2.0, "after its answer");
            return null;
        }), call, NOTHING, abandoned::add));
        Thread.ofVirtual().start(run);

        assertThat(said.await(60, TimeUnit.SECONDS)).isTrue();
        timers.pass(20);
        timers.pass(20);
        assertThat(abandoned.poll()).as("the deadline, then the grace").isNotNull();
        release.countDown();
        run.get(60, TimeUnit.SECONDS);
        requireNonNull(leaked.get()).progress(3.0, "after its end");

        assertThat(told).containsExactly(new Progress(1.0, null));
    }

    @Test
    void theThreadIsCleanAfterwardsWhateverTheHandlerDid() throws Exception {
        FutureTask<Boolean> flag = new FutureTask<>(() -> {
            executor.run(Handlers.plain((ctx, input) -> {
                Thread.currentThread().interrupt();
                return null;
            }), call(Duration.ofSeconds(10)), NOTHING, abandoned::add);
            return Thread.currentThread().isInterrupted();
        });
        Thread.ofVirtual().start(flag);

        assertThat(flag.get(60, TimeUnit.SECONDS)).isFalse();
    }

    private String ok(ToolHandler handler) {
        return ((ToolReply.Ok) replied(Handlers.plain(handler))).output().toString();
    }

    private ToolError error(ToolHandler handler) {
        return ((ToolReply.Failed) replied(Handlers.plain(handler))).error();
    }

    private ToolReply replied(RegisteredTool tool) {
        HandlerResult result = executor.run(tool, call(Duration.ofSeconds(30)), NOTHING, abandoned::add);
        return ((HandlerResult.Replied) result).reply();
    }

    private HandlerCall call(Duration left) {
        Instant deadline = clock.instant().plus(left);
        return new HandlerCall(ToolCall.of("c1", "t__run", NOTHING, "i"),
                new HandlerCall.Origin(POSITION, 0, "identity", 3, 1),
                new HandlerCall.Limit(deadline, "the test's limit"), new Workspace(requireNonNull(root), clock),
                Handlers.silent());
    }

    private static ToolHandler failing(Throwable failure) {
        return (ctx, input) -> {
            if (failure instanceof Error error)
                throw error;
            throw (Exception) failure;
        };
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean done = false;
        while (!done) {
            try {
                done = latch.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                // Ignored, as bad handlers do.
            }
        }
    }

    private static Ownership owning() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            Ownership ownership = new Ownership(member.groupMetadata());
            ownership.publish(new Ownership.Snapshot(member.groupMetadata(), Map.of(0, 1L)));
            return ownership;
        }
    }
}
