package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Supplier;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;

/// Consumers without group membership, each lent to one thread at a time and kept for the next. Several threads may use
/// them side by side, and none waits for a connection twice. Thread-safe.
public final class SpareConsumers implements AutoCloseable {
    private final Supplier<Consumer<byte[], byte[]>> factory;
    private final Queue<Consumer<byte[], byte[]>> spare = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    /// @param factory makes one more if all are lent
    public SpareConsumers(Supplier<Consumer<byte[], byte[]>> factory) {
        this.factory = factory;
    }

    /// Runs work with a consumer that has no assignment, and has none again when the work ends.
    public <T> T lend(Function<Consumer<byte[], byte[]>, T> work) {
        Consumer<byte[], byte[]> kept = spare.poll();
        Consumer<byte[], byte[]> lent = kept == null ? factory.get() : kept;
        try {
            return work.apply(lent);
        } finally {
            lent.unsubscribe();
            spare.add(lent);
            if (closed)
                closeSpare();
        }
    }

    private void closeSpare() {
        for (Consumer<byte[], byte[]> each = spare.poll(); each != null; each = spare.poll())
            each.close(CloseOptions.timeout(Duration.ZERO));
    }

    /// Closes them; a lent one when its work ends.
    @Override
    public void close() {
        closed = true;
        closeSpare();
    }
}
