package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.worker.commit.PartitionListener.Hold;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Assigned partitions of `tool.call` with a record that the consumer cannot read, such as one whose checksum is wrong.
///
/// **Contract.** A failed poll that names an assigned partition holds that partition at that offset; the others go on.
/// The partition is tried again from time to time. Every other failure ends the worker, and so does a failure of
/// authorization.
///
/// **Threads.** Owned by the poll thread.
///
/// **Why.** Otherwise: one bad block of a disk ends the worker, then the next owner, and so the fleet.
///
/// **The consumer's memory.** After such a failure the consumer keeps the fetched batch and fails in the same way for
/// ever, whatever the broker holds by then. It drops the batch only at a poll in which the position is another. So this
/// class moves the position by one for one poll that does not wait, and ignores that poll's records of the partition.
final class UnreadablePartitions {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadablePartitions.class);

    private final String topic;
    private final Pattern named;
    private final Consumer<byte[], byte[]> consumer;
    private final Duration retry;
    private final LongSupplier nanos;
    private final Map<Integer, Found> found = new HashMap<>();

    /// A record that could not be read.
    ///
    /// @param since the time of the last try
    /// @param waits whether the partition is held for it now
    private record Found(long epoch, long offset, long since, boolean waits) {
        Found again() {
            return new Found(epoch, offset, since, false);
        }
    }

    /// @param retry after which a partition is tried again
    UnreadablePartitions(String topic, Consumer<byte[], byte[]> consumer, Duration retry, LongSupplier nanos) {
        this.topic = topic;
        this.named = Pattern.compile("(?<![\\w.-])" + Pattern.quote(topic) + "-(\\d+)(?![\\w-])");
        this.consumer = consumer;
        this.retry = retry;
        this.nanos = nanos;
    }

    /// Holds the partition that a failed poll names.
    ///
    /// @param assigned the partitions that are assigned; null for another
    /// @return records of other partitions, which were read meanwhile
    /// @throws KafkaException the failure, when it names none of them
    ConsumerRecords<byte[], byte[]> after(KafkaException failure, IntFunction<@Nullable AssignedPartition> assigned) {
        int number = named(failure);
        AssignedPartition partition = number < 0 ? null : assigned.apply(number);
        if (partition == null)
            throw failure;
        TopicPartition name = new TopicPartition(topic, number);
        long offset = consumer.position(name);
        partition.hold(Hold.UNREADABLE, true);
        found.put(number, new Found(partition.epoch(), offset, nanos.getAsLong(), true));
        LOG.atError().setCause(failure).addKeyValue("topic", topic).addKeyValue(LogKeys.PARTITION, number)
                .addKeyValue(LogKeys.OFFSET, offset).log("partition held: a record cannot be read");
        consumer.seek(name, offset + 1);
        ConsumerRecords<byte[], byte[]> meanwhile = drained(number);
        // A rebalance inside that poll may have revoked the partition.
        if (assigned.apply(number) == partition) {
            consumer.pause(List.of(name));
            partition.paused(true);
            consumer.seek(name, offset);
        }
        return meanwhile;
    }

    private ConsumerRecords<byte[], byte[]> drained(int number) {
        try {
            return consumer.poll(Duration.ZERO);
        } catch (KafkaException e) {
            if (named(e) != number)
                throw e;
            return ConsumerRecords.empty();
        }
    }

    /// Returns the partition that a failure names; -1 if it names none, or is not about a record.
    private int named(KafkaException failure) {
        if (failure instanceof WakeupException || failure instanceof InterruptException
                || failure instanceof AuthorizationException || failure instanceof AuthenticationException)
            return -1;
        if (failure instanceof RecordDeserializationException record)
            return record.topicPartition().topic().equals(topic) ? record.topicPartition().partition() : -1;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            Matcher matcher = named.matcher(String.valueOf(cause.getMessage()));
            if (matcher.find())
                return Integer.parseInt(matcher.group(1));
        }
        return -1;
    }

    /// Releases the partitions whose next try is due.
    void retry(IntFunction<@Nullable AssignedPartition> assigned) {
        for (Iterator<Map.Entry<Integer, Found>> all = found.entrySet().iterator(); all.hasNext();) {
            Map.Entry<Integer, Found> entry = all.next();
            AssignedPartition partition = assigned.apply(entry.getKey());
            Found unreadable = entry.getValue();
            if (partition == null || partition.epoch() != unreadable.epoch()) {
                all.remove();
            } else if (unreadable.waits() && nanos.getAsLong() - unreadable.since() >= retry.toNanos()) {
                partition.hold(Hold.UNREADABLE, false);
                entry.setValue(unreadable.again());
            }
        }
    }

    /// True if the partition is held, so that its records are ignored.
    boolean isHeld(int partition) {
        Found unreadable = found.get(partition);
        return unreadable != null && unreadable.waits();
    }

    /// Returns the records that were read. If an unreadable record was never read and is not in the log any more, a
    /// record without key and value comes before them in its place, and becomes a dead letter.
    List<ConsumerRecord<byte[], byte[]>> read(int partition, List<ConsumerRecord<byte[], byte[]>> records, long next) {
        Found gone = found.get(partition);
        long first = records.isEmpty() ? next : records.getFirst().offset();
        if (gone == null || first < gone.offset() || next == gone.offset())
            return records;
        found.remove(partition);
        LOG.atWarn().addKeyValue("topic", topic).addKeyValue(LogKeys.PARTITION, partition)
                .addKeyValue(LogKeys.OFFSET, gone.offset())
                .log(first == gone.offset() ? "partition readable again" : "unreadable record skipped");
        if (first == gone.offset())
            return records;
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        all.add(new ConsumerRecord<>(topic, partition, gone.offset(), null, null));
        all.addAll(records);
        return all;
    }
}
