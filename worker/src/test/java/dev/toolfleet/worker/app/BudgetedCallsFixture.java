package dev.toolfleet.worker.app;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.toolfleet.json.Json;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
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
import dev.toolfleet.worker.identity.FleetBudgets;
import dev.toolfleet.worker.identity.FleetSpending;
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
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Fleet's worker with the budgets of one bundle, without a broker: calls take their whole way through lane and pipeline.
abstract class BudgetedCallsFixture {
    static final long EPOCH = 1;
    static final String EXHAUSTED = "E_TOOL_BUDGET_EXHAUSTED";
    static final Instant CALLED = Instant.parse("2026-11-21T23:59:59Z");
    static final AtomicInteger RUNS = new AtomicInteger();
    static volatile CountDownLatch gate = new CountDownLatch(0);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
    final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(10), 100), () -> 0);
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    @SuppressWarnings("NullAway.Init")
    CallParts parts;
    @SuppressWarnings("NullAway.Init")
    private Lanes lanes;
    @SuppressWarnings("NullAway.Init")
    private Sandbox sandbox;
    final List<CallIntent> intents = new CopyOnWriteArrayList<>();
    final FleetBudgets others = new FleetBudgets();
    /// Runs before a note is committed.
    volatile Runnable noting = () -> {};
    /// The time by which the worker's clock is ahead.
    volatile Duration ahead = Duration.ZERO;
    boolean unread;
    String bundle = "acme";
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
            return Map.of("send", same, "read", same, "asked", same, "dear", same, "cheap", same, "free", same);
        }
    }

    @BeforeEach
    void start() {
        start(null);
    }

    /// @param later the `spec` of one more budget; null for none
    void start(@Nullable String later) {
        RUNS.set(0);
        gate = new CountDownLatch(0);
        WorkerConfig config = LocalConfig.of(CatalogMode.AGENT, folder, 100, Duration.ofMinutes(5),
                LoopConfig.OFF);
        InstantSource clock = () -> CALLED.plus(ahead);
        Ownership ownership;
        try (MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest")) {
            ownership = new Ownership(consumer.groupMetadata());
        }
        ownership.publish(new Ownership.Snapshot(ownership.current().group(), Map.of(0, EPOCH)));
        PartitionStates states = new PartitionStates();
        states.spendingFrom(new FleetSpending(others, () -> !unread));
        states.opened(0, EPOCH, state);
        sandbox = Sandbox.prepare(config.folders().sandbox(), config.folders().workspace());
        parts = new CallParts(config, ownership, states,
                new CallParts.Host(Restarts.NONE, sandbox, new Workspace(folder, clock), HandlerCalls.Agents.NONE,
                        OAuthRoom.none(), ChangesetRoom.none()),
                CatalogGate.CatchUp.NOTHING, clock, new WorkerMeters(registry));
        WireCodec<ResourceRecord> codec = WireCodec.of(ResourceRecord.class);
        for (RevisionPlan.Entry entry : plan(later))
            parts.registry().apply(entry.key(), entry.value() == null ? null : codec.write(entry.value()));
        TestResources.awaitLoaded(parts.registry());
        lanes = new Lanes(config.lanes(), ownership, parts::isReadOnly,
                parts.pipelines().of(new CallPipelines.Fleet(states,
                        (_, _) -> null, new NoOwners(), new AtOnce(), _ -> {}, _ -> {}, _ -> {}), this::ended));
    }

    private List<RevisionPlan.Entry> plan(@Nullable String later) {
        ObjectNode tool = TestResources.tool("t", Tools.class, "send", "read", "asked", "dear", "cheap", "free");
        TestResources.export(tool, "read").putObject("annotations").put("readOnly", true);
        TestResources.export(tool, "asked").put("requiresApproval", true);
        TestResources.export(tool, "dear").put("cost", 7);
        TestResources.export(tool, "free").put("cost", 0);
        List<ObjectNode> all = new ArrayList<>(List.of(tool, TestResources.agent("coder", "Tool/t"),
                budget("sends", "{'per':'turn','calls':2,'tool':['t__send','t__asked']}"),
                budget("reads", "{'per':'instance','calls':4,'tool':'t__read'}"),
                budget("cost", "{'per':'instance','cost':10,'tool':['t__dear','t__cheap','t__free']}")));
        if (later != null)
            all.add(budget("later", later));
        return new TestResources().plan(bundle, all.toArray(ObjectNode[]::new));
    }

    private static ObjectNode budget(String name, String spec) {
        return (ObjectNode) Json.MAPPER.readTree(("{'apiVersion':'toolfleet.dev/v1','kind':'EffectBudget','metadata':"
                + "{'name':'" + name + "'},'spec':" + spec + "}").replace('\'', '"'));
    }

    @AfterEach
    void stop() {
        parts.close();
        sandbox.close();
    }

    List<ToolResult> repeated(int times, String tool, @Nullable String turn) {
        return IntStream.range(0, times).mapToObj(_ -> {
            send(tool, turn);
            return result(next());
        }).toList();
    }

    static String code(ToolResult result) {
        ToolError error = requireNonNull(result.error());
        return error.code();
    }

    void send(String tool, @Nullable String turn) {
        long at = offset++;
        ToolCall call = turn == null
                ? WireCodec.of(ToolCall.class).read(("{\"id\":\"c" + at + "\",\"name\":\"" + tool
                        + "\",\"instanceKey\":\"i\",\"agentName\":\"coder\",\"args\":{}}").getBytes(UTF_8))
                : ToolCall.of("c" + at, tool, Json.MAPPER.createObjectNode(), "i").inStep("coder", turn, "s" + at, 1);
        assertThat(lanes.offer(arrival(call, at))).isTrue();
    }

    static Arrival.Call arrival(ToolCall call, long at) {
        return new Arrival.Call(new Position(0, EPOCH, at), call, CALLED.toEpochMilli(), null, 0);
    }

    private void ended(Outcome outcome) {
        outcome.sequel().committed(outcome.position().offset(), 0);
        outcomes.add(outcome);
    }

    Outcome next() {
        try {
            return requireNonNull(outcomes.poll(60, TimeUnit.SECONDS), "no outcome");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static ToolResult result(Outcome outcome) {
        return WireCodec.of(ToolResult.class).read(outcome.records().getFirst().value());
    }

    /// Commits notes at once.
    private final class AtOnce implements IntentJournal.Notes {
        @Override
        public CompletableFuture<@Nullable Long> note(Position position, ProducerRecord<byte[], byte[]> record) {
            noting.run();
            if (record.value() != null && JournalEntry.read(record.value()) instanceof CallIntent intent)
                intents.add(intent);
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
