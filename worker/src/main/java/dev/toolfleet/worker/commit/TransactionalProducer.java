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

/// One transactional id and the producer that currently holds it; makes a new producer when the old one can go on no
/// more. Owned by the transaction loop's thread.
final class TransactionalProducer implements AutoCloseable {
    /// How often a commit that timed out is asked for again before its end counts as unknown.
    private static final int COMMIT_RETRIES = 2;

    private final Supplier<Producer<byte[], byte[]>> factory;
    private @Nullable Producer<byte[], byte[]> producer;

    TransactionalProducer(Supplier<Producer<byte[], byte[]>> factory) {
        this.factory = factory;
    }

    /// Gets the id ready; fences and ends whatever an earlier holder left behind.
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
    /// @throws UnknownCommitException when the commit was asked for and nobody knows how it ended
    /// @throws RuntimeException when the transaction was not committed, for certain
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
            // Ends the sends, so that a failed one is known before the commit is asked for.
            held.flush();
            throwFailedSend(transaction);
        } catch (RuntimeException e) {
            abort(held);
            throw e;
        }
        askForCommit(held);
    }

    /// The producer would refuse to commit too, but for reasons of its own.
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
                // A producer that can still abort has not committed. Of any other nobody knows: its broker may have
                // committed before the answer was lost.
                if (abort(held))
                    throw e;
                throw new UnknownCommitException(e);
            }
        }
    }

    /// False when the producer could not, and is given up.
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
