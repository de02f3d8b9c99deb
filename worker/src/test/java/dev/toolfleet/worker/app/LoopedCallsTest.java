package dev.toolfleet.worker.app;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.catalog.CatalogGate;
import dev.toolfleet.worker.catalog.CatalogMode;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.Digest128;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.LoopKey;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.pipeline.CallPipelines;
import dev.toolfleet.worker.pipeline.HandlerCalls;
import dev.toolfleet.worker.record.LoopConfig;
import dev.toolfleet.worker.recovery.IntentJournal;
import dev.toolfleet.worker.recovery.Recovery;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Calls that repeat, on their whole way through lane and pipeline of a fleet's worker; without a broker.
class LoopedCallsTest {
    private static final long EPOCH = 1;
    private static final AtomicInteger RUNS = new AtomicInteger();
    private static volatile CountDownLatch gate = new CountDownLatch(0);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
    private final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(10), 100), () -> 0);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    @SuppressWarnings("NullAway.Init")
    private CallParts parts;
    @SuppressWarnings("NullAway.Init")
    private Lanes lanes;
    @SuppressWarnings("NullAway.Init")
    private Sandbox sandbox;
    private long offset;

    /// Tools that answer the same each time, and count their starts.
    public static final class Tools implements ToolModule {
        @Override
        public Map<String, ToolHandler> handlers() {
            ToolHandler same = (ctx, input) -> {
                RUNS.incrementAndGet();
                gate.await();
                return ToolOutput.of("same");
            };
            return Map.of("write", same, "read", same, "status", same, "asked", same);
        }
    }

    /// Replaces failures by a text.
    public static final class Soothes implements ExtensionModule {
        @Override
        public void register(ExtensionRegistrar registrar, ObjectNode config) {
            registrar.toolCall((ctx, next) -> next.proceed() instanceof ToolReply.Ok ok
                    ? ok
                    : new ToolReply.Ok(StringNode.valueOf("never mind")));
        }
    }

    @BeforeEach
    void start() {
        RUNS.set(0);
        gate = new CountDownLatch(0);
        WorkerConfig config = LocalConfig.of(CatalogMode.AGENT, folder, 100, Duration.ofMinutes(5),
                new LoopConfig(3, 5));
        InstantSource clock = InstantSource.system();
        Ownership ownership;
        try (MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest")) {
            ownership = new Ownership(consumer.groupMetadata());
        }
        ownership.publish(new Ownership.Snapshot(ownership.current().group(), Map.of(0, EPOCH)));
        PartitionStates states = new PartitionStates();
        states.opened(0, EPOCH, state);
        sandbox = Sandbox.prepare(config.folders().sandbox(), config.folders().workspace());
        parts = new CallParts(config, ownership, states,
                new CallParts.Host(Restarts.NONE, sandbox, new Workspace(folder, clock), HandlerCalls.Agents.NONE,
                        OAuthRoom.none(), ChangesetRoom.none()),
                CatalogGate.CatchUp.NOTHING, clock, new WorkerMeters(registry));
        WireCodec<ResourceRecord> codec = WireCodec.of(ResourceRecord.class);
        for (RevisionPlan.Entry entry : plan())
            parts.registry().apply(entry.key(), entry.value() == null ? null : codec.write(entry.value()));
        TestResources.awaitLoaded(parts.registry());
        lanes = new Lanes(config.lanes(), ownership, parts::isReadOnly,
                parts.pipelines().of(new CallPipelines.Fleet(states,
                        (_, _) -> null, new NoOwners(), new AtOnce(), _ -> {}, _ -> {}, _ -> {}), this::ended));
    }

    private static List<RevisionPlan.Entry> plan() {
        ObjectNode tool = TestResources.tool("t", Tools.class, "write", "read", "status", "asked");
        TestResources.export(tool, "read").putObject("annotations").put("readOnly", true);
        TestResources.export(tool, "status").put("mayRepeat", true);
        TestResources.export(tool, "asked").put("requiresApproval", true);
        ObjectNode calm = TestResources.agent("calm", "Tool/t");
        calm.withObject("spec").putArray("extensions").add("Extension/soothes");
        return new TestResources().plan("acme", tool, TestResources.extension("soothes", Soothes.class),
                TestResources.agent("coder", "Tool/t"), calm);
    }

    @AfterEach
    void stop() {
        parts.close();
        sandbox.close();
    }

    @Test
    void theSameCallWithTheSameResultIsNoticedThenRefusedUntilTheNextTurn() throws Exception {
        List<ToolResult> results = repeated(7, "t__write", "coder", "t1");

        assertThat(results).extracting(result -> result.notice() != null).containsExactly(false, false, true, true,
                true, false, false);
        assertThat(results.subList(0, 5)).extracting(ToolResult::status).containsOnly(ResultStatus.OK);
        assertThat(results.subList(5, 7)).extracting(result -> requireNonNull(result.error()).code())
                .containsOnly("E_TOOL_LOOP");
        assertThat(RUNS).as("a refused call does not run").hasValue(5);
        assertThat(repeated(1, "t__write", "coder", "t2").getFirst().status()).isEqualTo(ResultStatus.OK);
        assertThat(registry.get("toolfleet.calls.completed").tag("code", "E_TOOL_LOOP").counter().count()).isEqualTo(2);
    }

    @Test
    void aRefusalIsAnErrorEventLikeOthers() throws Exception {
        repeated(5, "t__write", "coder", "t1");

        send("t__write", "coder", "t1");
        ProducerRecord<byte[], byte[]> event = next().records().get(1);

        assertThat(event.topic()).isEqualTo("tool.error");
        assertThat(WireCodec.of(ToolErrorEvent.class).read(event.value()).error().code()).isEqualTo("E_TOOL_LOOP");
    }

    @Test
    void anExportThatMayRepeatNeverLoops() throws Exception {
        assertThat(repeated(8, "t__status", "coder", "t1"))
                .allSatisfy(result -> assertThat(result).extracting(ToolResult::status, ToolResult::notice)
                        .containsExactly(ResultStatus.OK, null));
    }

    // A new revision may have declared it in the middle of the turn.
    @Test
    void theDeclarationOfTheMomentFreesAnExport() {
        known("t__status", 5);

        assertThat(repeated(1, "t__status", "coder", "t1").getFirst().status()).isEqualTo(ResultStatus.OK);
    }

    @Test
    void errorsBeforeTheHandlerLoopToo() throws Exception {
        List<ToolResult> results = repeated(6, "no__such", "coder", "t1");

        assertThat(results.subList(0, 5)).extracting(result -> requireNonNull(result.error()).code())
                .containsOnly("E_TOOL_NOT_IN_CATALOG");
        assertThat(code(results.getLast())).isEqualTo("E_TOOL_LOOP");
    }

    @Test
    void aPersonIsNotAskedAboutACallThatWouldBeRefused() throws Exception {
        send("t__asked", "coder", "t1");
        assertThat(result(next()).status()).as("asked about at first").isEqualTo(ResultStatus.PENDING);
        known("t__asked", 5);

        send("t__asked", "coder", "t1");

        assertThat(code(result(next()))).isEqualTo("E_TOOL_LOOP");
    }

    @Test
    void aLayerThatHidesRefusalsDoesNotStartTheHandlerAgain() throws Exception {
        List<ToolResult> results = repeated(12, "t__write", "calm", "t1");

        assertThat(results).extracting(ToolResult::status).containsOnly(ResultStatus.OK);
        assertThat(String.valueOf(results.getLast().output())).contains("never mind");
        assertThat(RUNS).hasValue(5);
    }

    @Test
    void readOnlyCallsThatRunBesideEachOtherAreNotRefusedAndCountAsTheyEnd() throws Exception {
        gate = new CountDownLatch(1);
        for (int n = 0; n < 7; n++)
            send("t__read", "coder", "t1");
        await().untilAsserted(() -> assertThat(RUNS).hasValue(7));
        gate.countDown();

        List<ToolResult> results = IntStream.range(0, 7).mapToObj(_ -> result(next())).toList();

        assertThat(results).extracting(ToolResult::status).containsOnly(ResultStatus.OK);
        assertThat(results).filteredOn(result -> result.notice() != null).hasSize(5);
        assertThat(code(repeated(1, "t__read", "coder", "t1").getFirst())).isEqualTo("E_TOOL_LOOP");
    }

    private List<ToolResult> repeated(int times, String tool, String agent, String turn) {
        return IntStream.range(0, times).mapToObj(_ -> {
            send(tool, agent, turn);
            return result(next());
        }).toList();
    }

    /// Lets a call of turn `t1` have ended with one result so often.
    private void known(String tool, int times) {
        LoopKey key = requireNonNull(IdentifiedCall.of(arrival(call(tool, "coder", "t1", 0), 0)).loopKey());
        for (int n = 0; n < times; n++)
            state.loops().ended(key, Digest128.of("same"));
    }

    private static String code(ToolResult result) {
        ToolError error = requireNonNull(result.error());
        return error.code();
    }

    private void send(String tool, String agent, String turn) {
        long at = offset++;
        assertThat(lanes.offer(arrival(call(tool, agent, turn, at), at))).isTrue();
    }

    private static ToolCall call(String tool, String agent, String turn, long number) {
        return ToolCall.of("c" + number, tool, Json.MAPPER.createObjectNode(), "i").inStep(agent, turn, "s" + number,
                1);
    }

    private static Arrival.Call arrival(ToolCall call, long at) {
        return new Arrival.Call(new Position(0, EPOCH, at), call, System.currentTimeMillis(), null, 0);
    }

    private void ended(Outcome outcome) {
        outcome.sequel().committed(outcome.position().offset(), 0);
        outcomes.add(outcome);
    }

    private Outcome next() {
        try {
            return requireNonNull(outcomes.poll(60, TimeUnit.SECONDS), "no outcome");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ToolResult result(Outcome outcome) {
        return WireCodec.of(ToolResult.class).read(outcome.records().getFirst().value());
    }

    /// Commits notes at once.
    private static final class AtOnce implements IntentJournal.Notes {
        @Override
        public CompletableFuture<@Nullable Long> note(Position position, ProducerRecord<byte[], byte[]> record) {
            return CompletableFuture.completedFuture(System.nanoTime());
        }

        @Override
        public CompletableFuture<@Nullable Long> send(Position position, ProducerRecord<byte[], byte[]> record) {
            return CompletableFuture.completedFuture(System.nanoTime());
        }

        @Override
        public void handOver(ProducerRecord<byte[], byte[]> record) {}
    }

    /// The first owner of its partitions.
    private static final class NoOwners implements Recovery.EarlierOwners {
        @Override
        public @Nullable HandOver news(int partition, String identity) {
            return null;
        }

        @Override
        public boolean isMember(String memberId) {
            return false;
        }

        @Override
        public boolean hasLeft(String memberId) {
            return true;
        }

        @Override
        public boolean catchUp(int partition) {
            return true;
        }
    }
}
