package dev.toolfleet.catalog.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// Deletes contents unless one was written after the decision. It writes the tombstones in a transaction. It commits
/// only when no record of these contents stands between the read offset and the tombstones, not even in an open
/// transaction. A record behind a tombstone wins by its place.
///
/// So neither clocks nor a dead or slow process can break this. For one thread.
final class Removal implements AutoCloseable {
    /// The size of a transaction; it is small, since readers of the topic wait for an open one.
    static final int AT_A_TIME = 500;
    private static final int TRANSACTION_MILLIS = 10_000;
    private static final int BLOCK_MILLIS = 8_000;
    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final Producer<String, byte[]> producer;
    private final TopicPartition partition;
    private final TopicReader reader;

    private Removal(Producer<String, byte[]> producer, TopicPartition partition, TopicReader reader) {
        this.producer = producer;
        this.partition = partition;
        this.reader = reader;
    }

    /// Opens a removal; fences an earlier one of that id.
    static Removal open(Map<String, Object> kafka, String transactionalId, TopicPartition partition,
            TopicReader reader) {
        kafka.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        kafka.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_MILLIS);
        kafka.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        kafka.put(ProducerConfig.ACKS_CONFIG, "all");
        kafka.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MILLIS);
        kafka.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        kafka.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, TRANSACTION_MILLIS / 2);
        kafka.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, BLOCK_MILLIS);
        KafkaProducer<String, byte[]> producer = new KafkaProducer<>(kafka, new StringSerializer(),
                new ByteArraySerializer());
        try {
            producer.initTransactions();
            return new Removal(producer, partition, reader);
        } catch (KafkaException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    /// Deletes the contents.
    ///
    /// @param readTo the offset up to which the topic was read for this decision
    /// @return the deleted ones
    /// @throws KafkaException when the topic cannot be written
    Set<String> remove(List<String> digests, long readTo) {
        Set<String> removed = new HashSet<>();
        for (int from = 0; from < digests.size(); from += AT_A_TIME) {
            Set<String> some = new HashSet<>(digests.subList(from, Math.min(digests.size(), from + AT_A_TIME)));
            boolean retry = true;
            while (retry && !some.isEmpty()) {
                Set<String> written = attempt(some, readTo);
                some.removeAll(written);
                retry = !written.isEmpty();
            }
            removed.addAll(some);
        }
        return removed;
    }

    /// @return those that were written meanwhile; if there are any, nothing was deleted
    private Set<String> attempt(Set<String> digests, long readTo) {
        Set<String> written = new HashSet<>();
        boolean stands = false;
        producer.beginTransaction();
        try {
            reader.everything(partition, readTo, tombstones(digests) + 1, (digest, content, at) -> {
                if (content != null && digests.contains(digest))
                    written.add(digest);
            });
            stands = written.isEmpty();
        } finally {
            if (!stands)
                producer.abortTransaction();
        }
        if (stands)
            producer.commitTransaction();
        return written;
    }

    private long tombstones(Set<String> digests) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (String digest : digests)
            sent.add(producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), digest, null)));
        producer.flush();
        long last = -1;
        for (Future<RecordMetadata> record : sent)
            last = Math.max(last, offset(record));
        return last;
    }

    private static long offset(Future<RecordMetadata> record) {
        try {
            return record.get().offset();
        } catch (ExecutionException e) {
            throw new KafkaException("a content could not be deleted", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
    }

    @Override
    public void close() {
        producer.close(CLOSE);
    }
}
