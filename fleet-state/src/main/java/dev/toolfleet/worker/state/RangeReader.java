package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Reader of a range of a partition, committed records only, on the caller's thread. Thread-safe.
public final class RangeReader {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int MOST_DOUBLINGS = 5;
    private static final Duration HISTORY = Duration.ofSeconds(5);

    private final SpareConsumers consumers;
    private final Duration patience;
    private final int stalls;

    /// @param consumers read committed, and from the beginning where an offset is gone
    /// @param patience the longest time without progress before `stalled` runs; doubles each time
    /// @param stalls the number of such times before the read gives up
    public RangeReader(SpareConsumers consumers, Duration patience, int stalls) {
        this.consumers = consumers;
        this.patience = patience;
        this.stalls = stalls;
    }

    /// Reads the records in `[from, end)` in their order. Waits for open transactions before `end` to end.
    ///
    /// @param stalled run each time that there was no progress for the patience
    /// @throws org.apache.kafka.common.KafkaException if it cannot be read, or makes no progress for too long
    public void read(TopicPartition partition, long from, long end, Consumer<ConsumerRecord<byte[], byte[]>> each,
            Runnable stalled) {
        scan(partition, from, end, record -> {
            each.accept(record);
            return true;
        }, stalled);
    }

    /// Returns the first record in `[from, end)`; null if there is none.
    public @Nullable ConsumerRecord<byte[], byte[]> first(TopicPartition partition, long from, long end) {
        First first = new First();
        scan(partition, from, end, first, () -> {});
        return first.found;
    }

    /// Returns the first offset below `offset` at which the log has other records than when `epoch` was its newest
    /// leader epoch; `offset` if it has the same records (KIP-320).
    ///
    /// @throws org.apache.kafka.common.KafkaException if the partition's leader does not answer
    public long agreesUpTo(TopicPartition partition, long offset, int epoch) {
        return consumers.lend(consumer -> {
            consumer.assign(List.of(partition));
            // The client requests the end of that epoch from the leader, and goes back to it.
            consumer.seek(partition, new OffsetAndMetadata(offset, Optional.of(epoch), ""));
            return Math.min(offset, consumer.position(partition, HISTORY));
        });
    }

    private static final class First implements Predicate<ConsumerRecord<byte[], byte[]>> {
        private @Nullable ConsumerRecord<byte[], byte[]> found;

        @Override
        public boolean test(ConsumerRecord<byte[], byte[]> record) {
            found = record;
            return false;
        }
    }

    private void scan(TopicPartition partition, long from, long end, Predicate<ConsumerRecord<byte[], byte[]>> more,
            Runnable stalled) {
        if (from < end)
            consumers.lend(consumer -> {
                consumer.assign(List.of(partition));
                long beginning = requireNonNull(consumer.beginningOffsets(List.of(partition)).get(partition));
                consumer.seek(partition, Math.max(from, beginning));
                return scan(consumer, partition, end, more, stalled);
            });
    }

    /// Reads until the end. The position moves past markers and aborted records too, so it reaches the end even if no
    /// record lies there.
    private boolean scan(org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer, TopicPartition partition,
            long end, Predicate<ConsumerRecord<byte[], byte[]>> more, Runnable stalled) {
        long moved = System.nanoTime();
        int stood = 0;
        for (long at = consumer.position(partition); at < end;) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL).records(partition)) {
                if (record.offset() >= end || !more.test(record))
                    return true;
            }
            long next = consumer.position(partition);
            if (next > at) {
                at = next;
                moved = System.nanoTime();
                stood = 0;
            } else if (System.nanoTime() - moved > patience.toNanos() << Math.min(stood, MOST_DOUBLINGS)) {
                if (++stood > stalls)
                    throw new TimeoutException(partition + " stands still at " + at + ", before " + end);
                stalled.run();
                moved = System.nanoTime();
            }
        }
        return true;
    }
}
