package dev.toolfleet.worker.commit;

import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;

import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/// One transactional id and the producer that currently holds it. Makes a new producer when the old one cannot go on.
/// Owned by the transaction loop's thread.
final class TransactionalProducer implements AutoCloseable {
    /// Repetitions of a commit that timed out, before its end counts as unknown.
    private static final int COMMIT_RETRIES = 2;

    private final Supplier<Producer<byte[], byte[]>> factory;
    private @Nullable Producer<byte[], byte[]> producer;

    TransactionalProducer(Supplier<Producer<byte[], byte[]>> factory) {
        this.factory = factory;
    }

    /// Prepares the id; fences and ends the open transaction of an earlier holder.
    Producer<byte[], byte[]> ready() {
        Producer<byte[], byte[]> held = producer;
        if (held != null)
            return held;
        Producer<byte[], byte[]> fresh = factory.get();
        try {
            fresh.initTransactions();
        } catch (RuntimeException e) {
            fresh.close(Duration.ZERO);
            throw e;
        }
        producer = fresh;
        return fresh;
    }

    /// Runs one transaction.
    ///
    /// @throws UnknownCommitException if the commit was requested and its end is unknown
    /// @throws RuntimeException if the transaction was certainly not committed
    void commit(Transaction transaction, ConsumerGroupMetadata group) {
        Producer<byte[], byte[]> held = ready();
        try {
            held.beginTransaction();
            for (ProducerRecord<byte[], byte[]> record : transaction.records()) {
                if (!transaction.sent(held.send(record)))
                    throwFailedSend(transaction);
            }
            if (!transaction.offsets().isEmpty())
                held.sendOffsetsToTransaction(transaction.offsets(), group);
            transaction.offsetsSent();
            // Waits for the sends, so that a failed one is known before the commit is requested.
            held.flush();
            throwFailedSend(transaction);
        } catch (RuntimeException e) {
            abort(held);
            throw e;
        }
        askForCommit(held);
    }

    /// Throws if a send failed. The producer would refuse to commit too, but would not name the reason.
    private static void throwFailedSend(Transaction transaction) {
        Throwable refusal = transaction.refusal();
        if (refusal != null)
            throw new KafkaException("a record was refused: " + refusal.getMessage(), refusal);
        String clockRefused = transaction.clockRefused();
        if (clockRefused != null)
            throw new KafkaException("the topic '" + clockRefused + "' refuses records of this machine's clock");
        Set<TopicPartition> unreachable = transaction.unreachable();
        if (!unreachable.isEmpty())
            throw new KafkaException("cannot be written: " + unreachable);
    }

    private void askForCommit(Producer<byte[], byte[]> held) {
        for (int attempt = 0;; attempt++) {
            try {
                held.commitTransaction();
                return;
            } catch (TimeoutException | InterruptException e) {
                if (attempt >= COMMIT_RETRIES) {
                    discard();
                    throw new UnknownCommitException(e);
                }
            } catch (RuntimeException e) {
                // A producer that can still abort has not committed. If it cannot, the end is unknown: the broker may
                // have committed before the answer was lost.
                if (abort(held))
                    throw e;
                throw new UnknownCommitException(e);
            }
        }
    }

    /// Aborts. Returns false if the producer could not, and discards it.
    private boolean abort(Producer<byte[], byte[]> held) {
        try {
            held.abortTransaction();
            return true;
        } catch (RuntimeException e) {
            discard();
            return false;
        }
    }

    private void discard() {
        Producer<byte[], byte[]> held = producer;
        producer = null;
        if (held != null)
            held.close(Duration.ZERO);
    }

    @Override
    public void close() {
        discard();
    }
}
