package dev.toolfleet.worker.commit;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;

import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Partitions that sit out because something that their calls write to cannot be written: nobody leads it, or the
/// dead-letter topic is down. The others go on. Owned by the transaction loop's thread.
///
/// A partition comes back when its targets are said to be reachable; each time that this proves wrong, it sits out
/// longer.
public final class Quarantine {
    private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Reachability reachability;
    private final LongSupplier nanos;
    private final Map<Integer, Sitting> sitting = new HashMap<>();
    /// How long a partition sat out last, until a transaction of its succeeds.
    private final Map<Integer, Long> lastNanos = new HashMap<>();

    private static final class Sitting {
        final long epoch;
        final Set<TopicPartition> targets = new HashSet<>();
        long until;
        @Nullable
        CompletableFuture<Boolean> probe;

        Sitting(long epoch) {
            this.epoch = epoch;
        }
    }

    /// Whether topics can be written.
    @FunctionalInterface
    public interface Reachability {
        /// Whether each of these has a leader; a partition of -1 stands for the whole topic. Must not block.
        CompletableFuture<Boolean> reachable(Set<TopicPartition> targets);
    }

    Quarantine(Reachability reachability, LongSupplier nanos) {
        this.reachability = reachability;
        this.nanos = nanos;
    }

    boolean holds(int partition) {
        return sitting.containsKey(partition);
    }

    int size() {
        return sitting.size();
    }

    void add(int partition, long epoch, Set<TopicPartition> targets, PartitionListener listener) {
        long length = Math.min(LONGEST.toNanos(), 2 * lastNanos.getOrDefault(partition, FIRST.toNanos() / 2));
        lastNanos.put(partition, length);
        Sitting held = new Sitting(epoch);
        held.targets.addAll(targets);
        held.until = nanos.getAsLong() + length;
        sitting.put(partition, held);
        LOG.atWarn().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.EPOCH, epoch)
                .addKeyValue(LogKeys.TARGETS, targets).log("partition sits out, its records cannot be written");
        listener.held(partition, epoch, PartitionListener.Hold.QUARANTINED, true);
    }

    /// A transaction of these partitions succeeded.
    void committed(Set<Integer> partitions) {
        lastNanos.keySet().removeAll(partitions);
    }

    void closed(int partition) {
        sitting.remove(partition);
        lastNanos.remove(partition);
    }

    /// Lets those come back whose time is over and whose targets can be reached.
    void release(PartitionListener listener) {
        sitting.entrySet().removeIf(entry -> {
            Sitting held = entry.getValue();
            if (!ready(held))
                return false;
            LOG.atInfo().addKeyValue(LogKeys.PARTITION, entry.getKey()).addKeyValue(LogKeys.EPOCH, held.epoch)
                    .log("partition is back");
            listener.held(entry.getKey(), held.epoch, PartitionListener.Hold.QUARANTINED, false);
            return true;
        });
    }

    private boolean ready(Sitting held) {
        CompletableFuture<Boolean> probe = held.probe;
        if (probe == null) {
            if (nanos.getAsLong() - held.until < 0)
                return false;
            probe = reachability.reachable(held.targets);
            held.probe = probe;
        }
        if (!probe.isDone())
            return false;
        if (probe.state() == Future.State.SUCCESS && probe.resultNow())
            return true;
        held.probe = null;
        held.until = nanos.getAsLong() + FIRST.toNanos();
        return false;
    }
}
