package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

import dev.toolfleet.worker.assignment.HeartbeatLease;
import dev.toolfleet.worker.assignment.Ownership;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;

/// Samples the coordinator's answers to the consumer, on a platform thread of its own. The consumer counts these
/// answers in its metrics, the only part of a consumer that another thread may read.
final class HeartbeatLoop implements AutoCloseable {
    private static final Duration BETWEEN = Duration.ofMillis(100);
    private static final Set<String> ANSWERS = Set.of("heartbeat-total", "join-total", "sync-total");

    private final HeartbeatLease lease;
    private final Ownership ownership;
    private final BooleanSupplier joining;
    private final List<? extends Metric> answers;
    private final Thread thread = Thread.ofPlatform().name("heartbeat").daemon().unstarted(this::run);

    /// Creates a loop; [#start] starts it.
    ///
    /// @param ownership depends on the lease
    /// @param joining whether the consumer waits to be let into the group's next generation
    public HeartbeatLoop(Consumer<byte[], byte[]> consumer, HeartbeatLease lease, Ownership ownership,
            BooleanSupplier joining) {
        this.lease = lease;
        this.ownership = ownership;
        this.joining = joining;
        this.answers = answers(consumer);
    }

    static List<? extends Metric> answers(Consumer<byte[], byte[]> consumer) {
        return consumer.metrics().entrySet().stream()
                .filter(entry -> entry.getKey().group().equals("consumer-coordinator-metrics")
                        && ANSWERS.contains(entry.getKey().name()))
                .map(Map.Entry::getValue).toList();
    }

    /// Starts the thread.
    public void start() {
        lease.begin();
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                sample();
                Thread.sleep(BETWEEN);
            }
        } catch (InterruptedException e) {
            // The loop ends.
        }
    }

    /// Checks the fence before it counts the answers. Otherwise: an answer that lay in the socket while the process was
    /// frozen renews a lease that had run out.
    private void sample() {
        var _ = ownership.isFenced();
        long now = System.nanoTime();
        lease.sample(now, answers.stream().mapToDouble(HeartbeatLoop::value).sum(), joining.getAsBoolean());
    }

    static double value(Metric metric) {
        return metric.metricValue() instanceof Number number ? number.doubleValue() : 0;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
