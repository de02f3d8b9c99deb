package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

/// Kafka's consumer in memory, whose polls wait for records or a wake-up as those of the real one do, outside its monitor.
///
/// **Why.** A poll of [MockConsumer] returns at once and holds the monitor, which its `wakeup` needs. Otherwise: a loop polls
/// without a pause, the monitor is always taken, and a thread that wakes the consumer may wait for it without end on a
/// machine that is busy.
class UnhurriedConsumer extends MockConsumer<byte[], byte[]> {
    private final Semaphore wakeups = new Semaphore(0);

    /// A consumer that begins at the beginning.
    UnhurriedConsumer() {
        super("earliest");
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        ConsumerRecords<byte[], byte[]> records = super.poll(Duration.ZERO);
        try {
            if (records.isEmpty() && wakeups.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                wakeups.drainPermits();
                throw new WakeupException();
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        return records;
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public void wakeup() {
        wakeups.release();
    }
}
