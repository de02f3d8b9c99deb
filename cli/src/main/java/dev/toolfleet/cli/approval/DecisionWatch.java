package dev.toolfleet.cli.approval;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Waits for what the fleet makes of a decision: its event, and then the call's next result. Not thread-safe.
final class DecisionWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionWatch.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final TopicScan scan;
    private final Topics topics;
    private Map<TopicPartition, Long> events;
    private final Map<TopicPartition, Long> results = new HashMap<>();
    private @Nullable AuditEvent event;
    private final Deque<ToolResult> arrived = new ArrayDeque<>();

    /// Begins to watch; no event that is written afterwards is missed.
    DecisionWatch(TopicScan scan, Topics topics) {
        this.scan = scan;
        this.topics = topics;
        this.events = scan.ends(scan.partitions(topics.name(Topic.AUDIT)));
    }

    /// Begins to watch the call's results too.
    void alsoResults(PendingCall call) {
        results.putAll(scan.ends(List.of(new TopicPartition(topics.name(Topic.RESULT), call.partition()))));
    }

    /// The first event of the handle that ends it, or that answers this person, which comes by `until`. What others are
    /// answered while the approval stays open is passed over.
    ///
    /// @param by who decided
    /// @param until as of [System#nanoTime]
    Optional<AuditEvent> event(String handle, String by, long until) throws InterruptedException {
        while (event == null) {
            events = new HashMap<>(scan.read(events, record -> {
                AuditEvent read = DecisionEvents.of(record);
                if (event == null && read != null && handle.equals(read.handle())
                        && (by.equals(read.by()) || !staysOpen(read)))
                    event = read;
            }));
            if (event == null && !pause(until))
                break;
        }
        return Optional.ofNullable(event);
    }

    /// True for an approval that was counted, and does not let the call run yet.
    static boolean isCount(AuditEvent event) {
        return event.action().equals("approval-counted");
    }

    private static boolean staysOpen(AuditEvent event) {
        return isCount(event) || event.action().equals("approval-refused");
    }

    /// The call's next result, pending or final.
    Optional<ToolResult> next(PendingCall call, long until) throws InterruptedException {
        while (arrived.isEmpty()) {
            results.putAll(scan.read(results, record -> {
                ToolResult read = result(record);
                if (read != null && read.callOffset() == call.callOffset())
                    arrived.add(read);
            }));
            if (arrived.isEmpty() && !pause(until))
                break;
        }
        return Optional.ofNullable(arrived.poll());
    }

    private static boolean pause(long until) throws InterruptedException {
        if (System.nanoTime() - until >= 0)
            return false;
        Thread.sleep(PAUSE);
        return true;
    }

    private static @Nullable ToolResult result(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null)
            return null;
        try {
            return RESULTS.read(record.value());
        } catch (WireFormatException e) {
            LOG.atDebug().setCause(Unquoted.of(e)).log("a record is no tool result");
            return null;
        }
    }
}
