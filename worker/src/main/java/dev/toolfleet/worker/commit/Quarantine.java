package dev.toolfleet.worker.commit;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Partitions that take no part in common transactions, because a topic to which their calls write could not be
/// written.
///
/// **Contract.** A partition whose records failed in a common transaction is *suspected*: the brokers are asked about
/// its targets. If these can be written, the partition is tried alone, in transactions of its own, until one of them
/// has written to a target that failed. If they cannot, or a single entry fails alone, the partition *sits out*: it is
/// not read, and it is tried again later, each time after a longer while.
///
/// **Threads.** Owned by the transaction loop's thread.
///
/// **Why.** A record that was not written in time does not distinguish a topic without leader from a topic of a slow or
/// throttled broker. The first must hold only the partitions that write to it. The second must hold none: smaller
/// transactions help. In a common transaction each attempt would cost all partitions the eight seconds of a failed one.
/// See `docs/decisions/0049`.
public final class Quarantine {
    private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Reachability reachability;
    private final LongSupplier nanos;
    private final Map<Integer, Apart> apart = new HashMap<>();

    private static final class Apart {
        final long epoch;
        Set<TopicPartition> targets;
        boolean sitsOut;
        boolean refused;
        boolean alone;
        long length = FIRST.toNanos() / 2;
        long until;
        @Nullable
        CompletableFuture<Boolean> probe;

        Apart(long epoch, Set<TopicPartition> targets) {
            this.epoch = epoch;
            this.targets = targets;
        }
    }

    /// Checks whether topics can be written.
    @FunctionalInterface
    public interface Reachability {
        /// True if each of these has a leader and enough replicas in sync; a partition of -1 stands for the whole
        /// topic. Must not block.
        CompletableFuture<Boolean> reachable(Set<TopicPartition> targets);
    }

    Quarantine(Reachability reachability, LongSupplier nanos) {
        this.reachability = reachability;
        this.nanos = nanos;
    }

    /// True if a partition takes no part in common transactions.
    boolean holds(int partition) {
        return apart.containsKey(partition);
    }

    /// Returns the targets that are not known to be writable: no common transaction may write to them.
    Set<TopicPartition> closedTargets() {
        if (apart.isEmpty())
            return Set.of();
        Set<TopicPartition> closed = new HashSet<>();
        for (Apart one : apart.values()) {
            if (!one.alone && !one.refused)
                closed.addAll(one.targets);
        }
        return closed;
    }

    /// Notes that a transaction failed because these targets of the partition could not be written in time.
    void suspect(int partition, long epoch, Set<TopicPartition> targets) {
        Apart one = apart.computeIfAbsent(partition, _ -> new Apart(epoch, targets));
        one.targets = targets;
        one.refused = false;
        one.alone = false;
        one.probe = null;
        one.until = nanos.getAsLong();
    }

    /// Notes that a single entry of the partition failed in a transaction of its own.
    void sitOut(int partition, long epoch, Set<TopicPartition> targets, PartitionListener listener) {
        suspect(partition, epoch, targets);
        Apart one = apart.computeIfAbsent(partition, _ -> new Apart(epoch, targets));
        one.length = Math.min(LONGEST.toNanos(), 2 * one.length);
        one.until = nanos.getAsLong() + one.length;
        tell(partition, one, listener);
    }

    /// Notes that the broker refuses an entry of the partition permanently, and that there is no replacement.
    void refuse(int partition, long epoch, Set<TopicPartition> targets, PartitionListener listener) {
        sitOut(partition, epoch, targets, listener);
        Apart one = apart.get(partition);
        if (one != null)
            one.refused = true;
    }

    private static void tell(int partition, Apart one, PartitionListener listener) {
        if (one.sitsOut)
            return;
        one.sitsOut = true;
        LOG.atWarn().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.EPOCH, one.epoch)
                .addKeyValue(LogKeys.TARGETS, one.targets).log("partition quarantined: output topic not writable");
        listener.held(partition, one.epoch, PartitionListener.Hold.QUARANTINED, true);
    }

    void closed(int partition) {
        apart.remove(partition);
    }

    /// Handles the brokers' answers about suspected partitions, and repeats the request for those whose time is over.
    void look(PartitionListener listener) {
        apart.forEach((partition, one) -> {
            if (!one.alone)
                look(partition, one, listener);
        });
    }

    private void look(int partition, Apart one, PartitionListener listener) {
        CompletableFuture<Boolean> probe = one.probe;
        if (probe == null) {
            if (nanos.getAsLong() - one.until < 0)
                return;
            probe = reachability.reachable(one.targets);
            one.probe = probe;
        }
        if (!probe.isDone())
            return;
        one.probe = null;
        if (probe.state() == Future.State.SUCCESS && probe.resultNow()) {
            one.alone = true;
        } else {
            one.until = nanos.getAsLong() + FIRST.toNanos();
            tell(partition, one, listener);
        }
    }

    /// True if an answer is missing that decides whether a partition is tried alone or sits out.
    boolean isAsking() {
        return apart.values().stream().anyMatch(one -> !one.alone && !one.sitsOut);
    }

    /// Returns a partition to try alone now; null if there is none. A partition without work rejoins the others.
    @Nullable
    Integer alone(IntPredicate hasWork, PartitionListener listener) {
        for (Iterator<Map.Entry<Integer, Apart>> all = apart.entrySet().iterator(); all.hasNext();) {
            Map.Entry<Integer, Apart> entry = all.next();
            if (!entry.getValue().alone)
                continue;
            if (hasWork.test(entry.getKey()))
                return entry.getKey();
            all.remove();
            back(entry.getKey(), entry.getValue(), listener);
        }
        return null;
    }

    /// True if a partition could be tried alone now.
    boolean hasAlone(IntPredicate hasWork) {
        return !apart.isEmpty()
                && apart.entrySet().stream().anyMatch(entry -> entry.getValue().alone && hasWork.test(entry.getKey()));
    }

    /// Notes that a transaction of the partition alone was committed. The partition rejoins the others if that
    /// transaction wrote to a target that had failed.
    void committed(int partition, Set<TopicPartition> written, PartitionListener listener) {
        Apart one = apart.get(partition);
        if (one == null || one.targets.stream().noneMatch(written::contains))
            return;
        apart.remove(partition);
        back(partition, one, listener);
    }

    private static void back(int partition, Apart one, PartitionListener listener) {
        if (!one.sitsOut)
            return;
        LOG.atInfo().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.EPOCH, one.epoch)
                .log("partition no longer quarantined");
        listener.held(partition, one.epoch, PartitionListener.Hold.QUARANTINED, false);
    }
}
