package dev.toolfleet.catalog.topology;

import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.catalog.middleware.LeftBehindException;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.middleware.StepLayers;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.streams.Outgoing;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Passes the results of a partition to the extensions that remember them. A result belongs to its instance and agent,
/// and counts only where that agent has taken a step in this partition: so memories go when steps do.
final class MemoryProcessor implements Processor<byte[], byte[], byte[], Outgoing> {
    /// The largest memory that is kept: it is read for every step.
    static final int MAX_BYTES = 64 * 1024;
    /// Reads results before the steps that wait beside them. The producer sets a step's time, so that time does not
    /// order the two.
    static final TimestampExtractor BEFORE_STEPS = (ConsumerRecord<Object, Object> result, long streamTime) -> 0;
    /// Replaces the time of a step. Some producers write no time (-1). Otherwise: it stops the thread before a
    /// processor can reject the record.
    static final TimestampExtractor AFTER_RESULTS = (ConsumerRecord<Object, Object> step, long streamTime) -> Math
            .max(step.timestamp(), 1);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    private final StepExtensions extensions;
    private final StepFaults faults;
    private @Nullable Stores stores;

    private record Stores(KeyValueStore<String, byte[]> steps, KeyValueStore<String, byte[]> memories) {}

    MemoryProcessor(StepExtensions extensions, StepFaults faults) {
        this.extensions = extensions;
        this.faults = faults;
    }

    @Override
    public void init(ProcessorContext<byte[], Outgoing> context) {
        stores = new Stores(context.getStateStore(StepStore.NAME), context.getStateStore(MemoryStore.NAME));
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        byte @Nullable [] value = record.value();
        if (value == null || extensions.rememberedTools().isEmpty())
            return;
        String tool = ResultPeek.toolName(value);
        if (tool == null || !extensions.rememberedTools().contains(tool))
            return;
        try {
            ToolResult result = RESULTS.read(value);
            // A repeated result is older than it looks.
            if (result.status() == ResultStatus.OK && !result.replayed() && result.agentName() != null)
                remember(result, result.agentName());
        } catch (WireFormatException e) {
            // A client that waits for the result reports the malformed record.
        }
    }

    private void remember(ToolResult result, String agent) {
        Stores in = stores();
        String key = StepCatalog.key(result.instanceKey(), agent);
        if (in.steps().get(key) == null)
            return;
        try (StepExtensions.Acquired held = extensions.acquire(agent)) {
            for (StepLayers.Memory memory : held.layers().memories()) {
                if (memory.tool().equals(result.toolName()))
                    remember(in.memories(), key, held.layers(), memory, result);
            }
        }
    }

    private void remember(KeyValueStore<String, byte[]> store, String key, StepLayers layers, StepLayers.Memory memory,
            ToolResult result) {
        byte @Nullable [] before = store.get(key);
        AtomicReference<byte @Nullable []> made = new AtomicReference<>();
        try {
            extensions.threads().run(memory.extension(), layers, turn -> {
                byte[] after = after(before, memory, result);
                turn.forTheStep(() -> made.set(after));
            });
        } catch (Throwable e) {
            String what = e instanceof LeftBehindException ? " was given up: " + e.getMessage() : " threw " + e;
            faults.report(String.valueOf(result.agentName()), memory.extension(),
                    "its memory of " + memory.tool() + what + "; the earlier memory stays");
            return;
        }
        byte[] bytes = made.get();
        if (bytes == null)
            return;
        if (bytes.length <= MAX_BYTES)
            store.put(key, bytes);
        else
            faults.report(String.valueOf(result.agentName()), memory.extension(), "with its memory of "
                    + memory.tool() + ", memories exceed " + MAX_BYTES + " bytes; the earlier memory stays");
    }

    /// Returns the memories after a result; null when they stay. As bytes, on the extension's thread: an extension's
    /// value may be endless, or not JSON.
    private static byte @Nullable [] after(byte @Nullable [] before, StepLayers.Memory memory, ToolResult result) {
        ObjectNode memories = MemoryStore.read(before);
        JsonNode after = memory.code().after(MemoryStore.find(memories, memory.extension(), memory.tool()), result);
        if (after == null)
            return null;
        MemoryStore.put(memories, memory.extension(), memory.tool(), after);
        return MemoryStore.write(memories);
    }

    private Stores stores() {
        if (stores == null)
            throw new IllegalStateException("process before init");
        return stores;
    }
}
