package dev.toolfleet.client;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads `tool.result` and passes each result to the calls that it answers and to the subscribers of its instance.
final class ResultReader implements Calls.ResultReading {
    private static final Logger LOG = LoggerFactory.getLogger(ResultReader.class);
    private static final WireCodec<ToolResult> CODEC = WireCodec.of(ToolResult.class);

    private final String topic;
    private final FollowLoop loop;
    private final EndOffsets ends;
    private final ClientPosition start;
    private final OpenCalls open = new OpenCalls();
    private final Subscriptions subscriptions;

    ResultReader(String topic, FollowLoop loop, EndOffsets ends, ClientPosition start, Subscriptions subscriptions) {
        this.topic = topic;
        this.loop = loop;
        this.ends = ends;
        this.start = start;
        this.subscriptions = subscriptions;
    }

    /// Takes a record of `tool.result`, on the loop's thread.
    void accept(ConsumerRecord<byte[], byte[]> record) {
        // Most results of a busy partition belong to other clients; they are not even parsed.
        if (record.value() == null || (record.key() != null
                && !concerns(new String(record.key(), StandardCharsets.UTF_8))))
            return;
        ToolResult result;
        try {
            result = CODEC.read(record.value());
        } catch (WireFormatException e) {
            LOG.warn("record left out: not a tool result; topic={} partition={} offset={}", record.topic(),
                    record.partition(), record.offset(), Unquoted.of(e));
            return;
        }
        // A status of a later version: the call waits for a result that this version understands.
        if (result.status() == ResultStatus.UNKNOWN)
            return;
        ArrivedResult arrived = ArrivedResult.of(record, result);
        open.offer(arrived);
        subscriptions.offer(arrived);
    }

    Subscription subscribe(String instanceKey, ClientPosition position, ResultListener listener) {
        Map<Integer, Long> from = new HashMap<>(ends.now());
        from.putAll(position.offsets());
        Subscription subscription = subscriptions.add(instanceKey, from, listener);
        readAgain(from);
        return subscription;
    }

    /// Returns the position to read from after a restart.
    ClientPosition position() {
        Map<Integer, Long> offsets = new HashMap<>(start.offsets());
        loop.positions().forEach((partition, offset) -> {
            if (partition.topic().equals(topic))
                offsets.put(partition.partition(), offset);
        });
        open.needed().forEach((partition, offset) -> offsets.merge(partition, offset, Math::min));
        return new ClientPosition(offsets);
    }

    @Override
    public OpenCalls open() {
        return open;
    }

    @Override
    public Map<Integer, Long> recentEnds() {
        return ends.recent();
    }

    @Override
    public void follow(int partition, Map<Integer, Long> from) {
        loop.follow(new TopicPartition(topic, partition), from.getOrDefault(partition, 0L));
    }

    @Override
    public void readAgain(Map<Integer, Long> from) {
        from.forEach((partition, offset) -> loop.readAgain(new TopicPartition(topic, partition), offset));
    }

    @Override
    public String problem() {
        return loop.problem();
    }

    private boolean concerns(String instanceKey) {
        return open.concerns(instanceKey) || subscriptions.concerns(instanceKey);
    }
}
