package dev.toolfleet.worker.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import org.apache.kafka.common.TopicPartition;

import static java.util.Objects.requireNonNull;

/// Who waits until partitions were read: up to an end that is known, or up to the one that they have when it is asked.
/// Owned by the follower's thread.
final class CatchUps {
    /// Somebody asked where `partition` ends now.
    private record Asked(TopicPartition partition, CompletableFuture<Void> caughtUp) {}

    /// Somebody waits until `partition` was read up to `end`.
    private record Waiter(TopicPartition partition, long end, CompletableFuture<Void> caughtUp) {}

    private final List<Asked> asked = new ArrayList<>();
    private final List<Waiter> waiters = new ArrayList<>();

    /// Somebody waits for the end that the partition has now.
    void toItsEnd(TopicPartition partition, CompletableFuture<Void> caughtUp) {
        asked.add(new Asked(partition, caughtUp));
    }

    /// Somebody waits for this end.
    void upTo(TopicPartition partition, long end, CompletableFuture<Void> caughtUp) {
        waiters.add(new Waiter(partition, end, caughtUp));
    }

    /// One request for everybody who asked, however many they are.
    ///
    /// @param followed whoever asked for another partition waits in vain
    /// @param ends where partitions end
    void ask(Set<TopicPartition> followed,
            Function<Set<TopicPartition>, Map<TopicPartition, Long>> ends) {
        asked.removeIf(one -> {
            if (followed.contains(one.partition()))
                return false;
            one.caughtUp().completeExceptionally(notFollowed(one.partition()));
            return true;
        });
        if (asked.isEmpty())
            return;
        Map<TopicPartition, Long> found = ends
                .apply(asked.stream().map(Asked::partition).collect(Collectors.toSet()));
        asked.forEach(one -> waiters
                .add(new Waiter(one.partition(), requireNonNull(found.get(one.partition())), one.caughtUp())));
        asked.clear();
    }

    /// Tells those whose end was reached, and forgets those that wait no longer.
    void answer(ToLongFunction<TopicPartition> position) {
        waiters.removeIf(waiter -> {
            if (!waiter.caughtUp().isDone() && position.applyAsLong(waiter.partition()) < waiter.end())
                return false;
            waiter.caughtUp().complete(null);
            return true;
        });
    }

    /// The partition is not followed any more.
    void giveUp(TopicPartition partition) {
        waiters.removeIf(waiter -> {
            if (!waiter.partition().equals(partition))
                return false;
            waiter.caughtUp().completeExceptionally(notFollowed(partition));
            return true;
        });
    }

    /// Nothing is read any more.
    void fail(Throwable cause) {
        asked.forEach(one -> one.caughtUp().completeExceptionally(cause));
        waiters.forEach(waiter -> waiter.caughtUp().completeExceptionally(cause));
    }

    static IllegalStateException notFollowed(TopicPartition partition) {
        return new IllegalStateException(partition + " is not followed");
    }
}
