package dev.toolfleet.bench.backtest;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Writer of past calls of 1 KB and their results, which knows what [PastBundles#other] changes about them. Used once, by
/// one thread.
final class PastTraffic implements AutoCloseable {
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final int INSTANCES = 10_000;
    private static final int AMOUNTS = 1_000;
    private static final String TEXT = "The quick brown fox jumps over the lazy dog. ".repeat(6);

    private final Topics topics;
    private final int partitions;
    private final KafkaProducer<byte[], byte[]> producer;
    private final long[] offsets;
    private final JsonNode message = Json.MAPPER.createObjectNode().put("role", "assistant").put("content", TEXT);
    private final Map<String, Long> expected = new TreeMap<>();
    private final AtomicReference<@Nullable Exception> refused = new AtomicReference<>();

    PastTraffic(Topics topics, int partitions, String bootstrapServers) {
        this.topics = topics;
        this.partitions = partitions;
        offsets = new long[partitions];
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 20, "batch.size", 256 * 1024),
                new ByteArraySerializer(), new ByteArraySerializer());
    }

    /// Writes that many calls, each with its result, to topics that are empty.
    ///
    /// @return the number of calls by finding, as `toolfleet policy backtest` names it
    /// @throws IllegalStateException when the broker refuses one
    Map<String, Long> write(int calls) {
        for (int number = 0; number < calls; number++)
            write(number, calls);
        producer.flush();
        Exception failure = refused.get();
        if (failure != null)
            throw new IllegalStateException("the past calls could not be written: " + failure, failure);
        return expected;
    }

    private void write(int number, int calls) {
        // Each result of an instance's earlier calls has to be there before its next call.
        if (number % INSTANCES == 0)
            producer.flush();
        int tool = number % PastBundles.TOOLS;
        int agent = number / PastBundles.TOOLS % PastBundles.AGENTS;
        int user = number / PastBundles.TOOLS % PastBundles.USERS;
        int amount = (int) (number * 7919L % AMOUNTS);
        expect(tool, agent, user, amount);
        if (tool == PastBundles.READER && number >= INSTANCES)
            expected.merge("asked", 1L, Long::sum);
        String instance = "instance-" + number % INSTANCES;
        int partition = number % INSTANCES % partitions;
        ObjectNode arguments = Json.MAPPER.createObjectNode().put("amount", amount).put("text", TEXT);
        ToolCall call = new ToolCall("call_" + number, PastBundles.tool(tool), arguments, instance,
                PastBundles.agent(agent), "turn-" + number, "turn-" + number + "-step-0", 0, null,
                PastBundles.user(user), "channel-" + number % 50, message, null, null, null);
        send(Topic.CALL, partition, instance, CALLS.write(call), Map.of());
        long offset = offsets[partition]++;
        ToolResult result = new ToolResult(call.id(), call.name(), ResultStatus.OK,
                Json.MAPPER.createObjectNode().put("text", TEXT), null, null, instance, call.agentName(), call.turnId(),
                call.stepId(), 1, false, null, offset, null, null);
        send(Topic.RESULT, partition, instance, RESULTS.write(result),
                Map.of(WireHeaders.CALL_OFFSET, Long.toString(offset)));
        if (number % 100_000 == 0 && refused.get() != null)
            throw new IllegalStateException("the broker refuses calls; " + number + " of " + calls + " were written");
    }

    /// Repeats by hand what the rules of the other bundle do.
    private void expect(int tool, int agent, int user, int amount) {
        if (tool == 1 && amount > 899)
            expected.merge("denied", 1L, Long::sum);
        if (tool == 2 && (user == 2 || user == 10))
            expected.merge("asked", 1L, Long::sum);
        if ((tool == 3 && amount < 100) || (tool == 5 && agent == 1))
            expected.merge("would-deny", 1L, Long::sum);
    }

    private void send(Topic topic, int partition, String key, byte[] value, Map<String, String> headers) {
        var _ = producer.send(new ProducerRecord<>(topics.name(topic), partition, null,
                key.getBytes(StandardCharsets.UTF_8), value, KafkaHeaders.of(headers)), (_, failure) -> {
                    if (failure != null)
                        refused.compareAndSet(null, failure);
                });
    }

    @Override
    public void close() {
        producer.close();
    }
}
