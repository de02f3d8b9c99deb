package dev.toolfleet.bench.micro;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.bench.engine.ComparedBundle;
import dev.toolfleet.bench.engine.ComparedCalls;
import dev.toolfleet.bench.engine.ComparedTool;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.DecodedCall;
import dev.toolfleet.wire.GuardFacts;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.Timing;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.PartitionLoads;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.guard.FleetGuard;
import dev.toolfleet.worker.guard.FleetSecrets;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.guard.ResultGuard.GuardedCall;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.lane.LaneLimits;
import dev.toolfleet.worker.lane.LaneSlot;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.registry.CatalogTool;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Cost of the steps of one call that profiles of `bench drain` show: a call with a text of 200 bytes, whose result
/// repeats it.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CallBenchmark {
    private static final String BUNDLE = "bench";
    private static final int TEXT_BYTES = 200;
    private static final long EPOCH = 1;
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    private final byte[] bytes = new ComparedCalls(ComparedTool.IDEMPOTENT, Duration.ZERO, TEXT_BYTES).call(7, 3);
    private final ToolCall call = decoded();
    private final Arrival.Call arrival = new Arrival.Call(new Position(0, EPOCH, 7), call, 0, null, bytes.length);
    private final FleetResources resources = resources();
    private final CatalogTool tool = tool(resources);
    private final GuardedCall guarded = new GuardedCall(call.name(), call.agentName(), tool.item().tool());
    private final FleetGuard guard = new FleetGuard(() -> resources, FleetSecrets.NONE, 900_000);
    private final ToolReply reply = new ToolReply.Ok(call.args());
    private final ToolResult result = new ToolResult(call.id(), call.name(), ResultStatus.OK, call.args(), null, null,
            call.instanceKey(), call.agentName(), call.turnId(), call.stepId(), 1, false,
            IdentifiedCall.of(arrival).fingerprint(), 7, new Timing(1, 0, 1), new GuardFacts(false, false, 270, 270));
    private final Lanes lanes = new Lanes(new LaneLimits(10_000, 1L << 28, 10_000), new PartitionLoads(), owning(),
            _ -> false, LaneSlot::release, Runnable::run);

    /// Compiles what is compiled once.
    @Setup
    public void compile() {
        if (validate() != null)
            throw new IllegalStateException("the call's arguments do not fit");
    }

    /// The bytes of a call's record.
    @Benchmark
    public DecodedCall decode() {
        return CallDecoder.decode(call.instanceKey(), bytes);
    }

    /// Identity and fingerprint of a call: two digests.
    @Benchmark
    public IdentifiedCall identify() {
        return IdentifiedCall.of(arrival);
    }

    /// Arguments against the schema that the model saw; null when they fit.
    @Benchmark
    public @Nullable ToolError validate() {
        return tool.schema().check(call.args());
    }

    /// An output in which nothing is wrong.
    @Benchmark
    public Guarded guard() {
        return guard.guard(guarded, reply);
    }

    /// The bytes of a result's record.
    @Benchmark
    public byte[] encode() {
        return RESULTS.write(result);
    }

    /// Into a lane, to its front, and out of it; without the call's own thread.
    @Benchmark
    public boolean lane() {
        return lanes.offer(arrival);
    }

    private ToolCall decoded() {
        if (CallDecoder.decode(null, bytes) instanceof DecodedCall.Valid(ToolCall valid))
            return valid;
        throw new IllegalStateException("the call is malformed");
    }

    private static FleetResources resources() {
        ResourceTable table = new ResourceTable();
        RevisionPlan.of(BUNDLE, ComparedBundle.declared(), table).entries()
                .forEach(entry -> table.apply(entry.key(), entry.value()));
        return table.view();
    }

    private static CatalogTool tool(FleetResources resources) {
        ToolRef ref = new ToolRef(BUNDLE, ComparedTool.TOOL, ComparedTool.IDEMPOTENT);
        return resources.tool(ref)
                .flatMap(declared -> declared.export(ref.export()).map(export -> new CatalogTool(
                        AgentTools.item(declared, export, ComparedTool.TOOL + "__" + ComparedTool.IDEMPOTENT))))
                .orElseThrow();
    }

    private static Ownership owning() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            Ownership ownership = new Ownership(member.groupMetadata());
            ownership.publish(new Ownership.Snapshot(ownership.current().group(), Map.of(0, EPOCH)));
            return ownership;
        }
    }
}
