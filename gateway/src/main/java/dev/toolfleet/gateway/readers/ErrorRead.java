package dev.toolfleet.gateway.readers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.lists.ErrorFilter;
import dev.toolfleet.gateway.lists.ErrorPage;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Read of one page of `tool.error`. It ends when the page is full, at the end that the topic had, or after some seconds;
/// the page holds the position to continue behind. For one thread, once.
final class ErrorRead {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorRead.class);
    private static final WireCodec<ToolErrorEvent> CODEC = WireCodec.of(ToolErrorEvent.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final ErrorFilter filter;
    private final int limit;
    private final List<ToolErrorEvent> errors = new ArrayList<>();
    private final SortedMap<Integer, Long> next = new TreeMap<>();

    ErrorRead(ErrorFilter filter, int limit) {
        this.filter = filter;
        this.limit = limit;
    }

    ErrorPage page(TopicScan scan, String topic, @Nullable TopicPosition after) {
        List<TopicPartition> partitions = scan.partitions(topic);
        Map<TopicPartition, Long> ends = scan.ends(partitions);
        // A record is written after its error occurred.
        Map<TopicPartition, Long> from = after == null
                ? scan.since(partitions, filter.since())
                : from(after, scan.beginnings(partitions), ends);
        from.forEach((partition, offset) -> next.put(partition.partition(), offset));
        scan.follow(from);
        long until = System.nanoTime() + LONGEST.toNanos();
        while (errors.size() < limit && !scan.isAt(ends) && System.nanoTime() - until < 0)
            scan.poll(POLL).forEach(record -> add(record, ends));
        boolean complete = errors.size() < limit && scan.isAt(ends);
        if (complete)
            ends.forEach((partition, end) -> next.merge(partition.partition(), end, Math::max));
        errors.sort(Comparator.comparing(ToolErrorEvent::occurredAt));
        return new ErrorPage(errors, new TopicPosition(next), complete);
    }

    /// A position outside of the log, such as one that retention has passed, continues at its nearer end.
    private static Map<TopicPartition, Long> from(TopicPosition after, Map<TopicPartition, Long> beginnings,
            Map<TopicPartition, Long> ends) {
        Map<TopicPartition, Long> from = new HashMap<>();
        beginnings.forEach((partition, beginning) -> {
            long wanted = after.offsets().getOrDefault(partition.partition(), beginning);
            from.put(partition, Math.max(beginning, Math.min(wanted, ends.getOrDefault(partition, beginning))));
        });
        return from;
    }

    private void add(ConsumerRecord<byte[], byte[]> record, Map<TopicPartition, Long> ends) {
        long end = ends.getOrDefault(new TopicPartition(record.topic(), record.partition()), 0L);
        if (errors.size() == limit || record.offset() >= end)
            return;
        next.put(record.partition(), record.offset() + 1);
        if (record.value() == null)
            return;
        try {
            ToolErrorEvent error = CODEC.read(record.value());
            if (filter.selects(error))
                errors.add(error);
        } catch (WireFormatException e) {
            LOG.atWarn().addKeyValue(ListLogKeys.TOPIC, record.topic())
                    .addKeyValue(ListLogKeys.PARTITION, record.partition())
                    .addKeyValue(ListLogKeys.OFFSET, record.offset()).log("record left out: no error event");
        }
    }
}
