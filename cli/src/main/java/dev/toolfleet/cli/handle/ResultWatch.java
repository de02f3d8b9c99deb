package dev.toolfleet.cli.handle;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Waits for final results that come from now on. Not thread-safe.
public final class ResultWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ResultWatch.class);
    private static final WireCodec<ToolResult> CODEC = WireCodec.of(ToolResult.class);
    private static final Duration PAUSE = Duration.ofMillis(100);

    /// Place of a call on `tool.call`; its results are in the same partition of `tool.result`.
    public record CallPlace(int partition, long offset) {}

    private final TopicScan scan;
    private final Set<CallPlace> calls;
    private final Map<TopicPartition, Long> from;

    /// Begins to watch; what is done afterwards and ends one of the calls is seen.
    ///
    /// @param topic the name of `tool.result`
    public ResultWatch(TopicScan scan, String topic, Collection<CallPlace> calls) {
        this.scan = scan;
        this.calls = new HashSet<>(calls);
        this.from = new HashMap<>(scan.ends(
                calls.stream().map(call -> new TopicPartition(topic, call.partition())).distinct().toList()));
    }

    /// The final results that come within `patience`; returns as soon as all have come.
    public Map<CallPlace, ToolResult> await(Duration patience) throws InterruptedException {
        Map<CallPlace, ToolResult> found = new HashMap<>();
        long giveUp = System.nanoTime() + patience.toNanos();
        while (true) {
            from.putAll(scan.read(from, record -> accept(record, found)));
            if (found.size() == calls.size() || System.nanoTime() - giveUp > 0)
                return found;
            Thread.sleep(PAUSE);
        }
    }

    private void accept(ConsumerRecord<byte[], byte[]> record, Map<CallPlace, ToolResult> found) {
        if (record.value() == null)
            return;
        try {
            ToolResult result = CODEC.read(record.value());
            CallPlace call = new CallPlace(record.partition(), result.callOffset());
            if (result.isFinal() && calls.contains(call))
                found.putIfAbsent(call, result);
        } catch (WireFormatException e) {
            LOG.atDebug().setCause(Unquoted.of(e)).log("a record is no tool result");
        }
    }
}
