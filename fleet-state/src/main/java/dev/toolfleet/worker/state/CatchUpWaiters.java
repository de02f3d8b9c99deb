package dev.toolfleet.worker.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;

import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Waiters for partitions to be read up to an end.
///
/// **Contract.** A waiter moves through three places: *asked* until its partition's end is looked up, *lookup* while
/// that is under way, *waiting* once the end is known. At most one lookup of a partition is under way. A waiter that
/// comes meanwhile stays *asked* for the next one, because the answer of a lookup that began before may be too old.
///
/// **Threads.** Owned by the follower's thread. Ends are looked up elsewhere, and their answers come back here.
final class CatchUpWaiters {
    /// Waits until `partition` was read up to `end`.
    private record Waiter(TopicPartition partition, long end, CompletableFuture<Void> caughtUp) {}

    /// One lookup of a partition's end, with the waiters for its answer. Lookups are compared by identity. Otherwise:
    /// the answer to a lookup from before the partition was given up and followed again counts.
    static final class Lookup {
        private final TopicPartition partition;
        private final List<CompletableFuture<Void>> waiters;

        private Lookup(TopicPartition partition, List<CompletableFuture<Void>> waiters) {
            this.partition = partition;
            this.waiters = waiters;
        }

        TopicPartition partition() {
            return partition;
        }
    }

    private final Map<TopicPartition, List<CompletableFuture<Void>>> asked = new HashMap<>();
    private final Map<TopicPartition, Lookup> lookups = new HashMap<>();
    private final List<Waiter> waiters = new ArrayList<>();

    /// Adds a waiter for the end that the partition has now.
    void toItsEnd(TopicPartition partition, CompletableFuture<Void> caughtUp) {
        asked.computeIfAbsent(partition, it -> new ArrayList<>()).add(caughtUp);
    }

    /// Adds a waiter for this end.
    void upTo(TopicPartition partition, long end, CompletableFuture<Void> caughtUp) {
        waiters.add(new Waiter(partition, end, caughtUp));
    }

    /// Returns the lookups that begin now. The caller must bring an answer for each by [#end]. Waiters for partitions
    /// that are not followed fail.
    List<Lookup> lookUp(Set<TopicPartition> followed) {
        List<Lookup> due = new ArrayList<>();
        asked.entrySet().removeIf(each -> {
            TopicPartition partition = each.getKey();
            if (!followed.contains(partition)) {
                fail(each.getValue(), notFollowed(partition));
                return true;
            }
            // Waiters that gave up meanwhile need no lookup.
            each.getValue().removeIf(CompletableFuture::isDone);
            if (each.getValue().isEmpty())
                return true;
            if (lookups.containsKey(partition))
                return false;
            Lookup lookup = new Lookup(partition, each.getValue());
            lookups.put(partition, lookup);
            due.add(lookup);
            return true;
        });
        return due;
    }

    /// Notes the end of a partition that a lookup found; null if it failed, and its waiters are *asked* again.
    void end(Lookup lookup, @Nullable Long end) {
        if (!lookups.remove(lookup.partition, lookup))
            return;
        for (CompletableFuture<Void> caughtUp : lookup.waiters) {
            if (end == null) {
                toItsEnd(lookup.partition, caughtUp);
            } else {
                upTo(lookup.partition, end, caughtUp);
            }
        }
    }

    /// Completes the waiters whose end was reached, and forgets those that gave up.
    ///
    /// @param position of a partition; -1 while it is not known
    void answer(ToLongFunction<TopicPartition> position) {
        if (waiters.isEmpty())
            return;
        Map<TopicPartition, Long> positions = new HashMap<>();
        waiters.removeIf(waiter -> {
            if (!waiter.caughtUp().isDone()
                    && positions.computeIfAbsent(waiter.partition(), position::applyAsLong) < waiter.end())
                return false;
            waiter.caughtUp().complete(null);
            return true;
        });
    }

    /// Fails the waiters of a partition that is not followed any more.
    void giveUp(TopicPartition partition) {
        Lookup lookup = lookups.remove(partition);
        if (lookup != null)
            fail(lookup.waiters, notFollowed(partition));
        waiters.removeIf(waiter -> {
            if (!waiter.partition().equals(partition))
                return false;
            waiter.caughtUp().completeExceptionally(notFollowed(partition));
            return true;
        });
    }

    /// Fails all waiters, because nothing is read any more.
    void fail(Throwable cause) {
        asked.values().forEach(those -> fail(those, cause));
        lookups.values().forEach(lookup -> fail(lookup.waiters, cause));
        waiters.forEach(waiter -> waiter.caughtUp().completeExceptionally(cause));
    }

    private static void fail(List<CompletableFuture<Void>> those, Throwable cause) {
        those.forEach(caughtUp -> caughtUp.completeExceptionally(cause));
    }

    static IllegalStateException notFollowed(TopicPartition partition) {
        return new IllegalStateException(partition + " is not followed");
    }
}
