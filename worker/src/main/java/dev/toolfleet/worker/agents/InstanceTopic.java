package dev.toolfleet.worker.agents;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.state.TopicOffsets;
import dev.toolfleet.worker.state.TopicView;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `agent.instance` as the calls of a worker read it. Thread-safe.
///
/// **Contract.** Reads go behind transactions that are open: the result of a spawn can be read as soon as its own
/// partition has the mark of the commit, which that of its instance may get later. A transaction that stays open holds
/// no call up for long: the records before it must then suffice, for all calls of the next seconds.
///
/// Workers announce an instance in the partition of its key, so who looks for one instance waits for that partition, and
/// for others only until they were read once. Otherwise: one partition without leader fails the calls of all instances
/// that may have been spawned.
final class InstanceTopic {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceTopic.class);
    private static final Duration CATCH_UP = Duration.ofSeconds(5);
    /// The time after a transaction stayed open in which no call waits for another.
    private static final Duration HIDDEN = Duration.ofSeconds(30);

    private final List<TopicPartition> partitions;
    private final StateFollower follower;
    private final TopicOffsets offsets;
    private final Map<TopicPartition, CompletableFuture<Void>> firstReads = new ConcurrentHashMap<>();
    private volatile long hiddenUntil = System.nanoTime();

    /// @param partitions all of the topic's, in the order of their numbers
    InstanceTopic(List<TopicPartition> partitions, StateFollower follower, TopicOffsets offsets) {
        this.partitions = List.copyOf(partitions);
        this.follower = follower;
        this.offsets = offsets;
    }

    /// Follows the announced instances; each is done when those that its partition has now are known.
    List<CompletableFuture<Void>> follow(TopicView instances) {
        partitions.forEach(partition -> firstReads.put(partition, follower.follow(partition, instances)));
        return List.copyOf(firstReads.values());
    }

    /// Waits until every instance that was announced before this is known.
    ///
    /// @return false when some may lie behind a transaction that stays open
    /// @throws IllegalStateException when the topic cannot be read now
    boolean caughtUp() throws InterruptedException {
        return caughtUp(Set.copyOf(partitions));
    }

    /// The same for one instance.
    boolean caughtUp(AgentAddress instance) throws InterruptedException {
        TopicPartition own = partition(instance);
        return caughtUp(partitions.stream().filter(each -> each.equals(own) || !wasRead(each))
                .collect(Collectors.toUnmodifiableSet()));
    }

    private boolean wasRead(TopicPartition partition) {
        CompletableFuture<Void> first = firstReads.get(partition);
        return first != null && first.isDone();
    }

    /// The partition in which Java's producers, as workers have them, put the key.
    TopicPartition partition(AgentAddress instance) {
        byte[] key = (instance.agent() + "/" + instance.instanceKey()).getBytes(StandardCharsets.UTF_8);
        return partitions.get(Utils.toPositive(Utils.murmur2(key)) % partitions.size());
    }

    private boolean caughtUp(Set<TopicPartition> asked) throws InterruptedException {
        try {
            if (System.nanoTime() - hiddenUntil >= 0) {
                if (areDone(offsets.ends(asked).entrySet().stream()
                        .map(end -> follower.readUpTo(end.getKey(), end.getValue()))))
                    return true;
                hiddenUntil = System.nanoTime() + HIDDEN.toNanos();
                LOG.warn("A transaction on agent.instance stays open; instances that were announced behind it are not"
                        + " known");
            }
            if (areDone(asked.stream().map(follower::catchUp)))
                return false;
            throw unreadable(null);
        } catch (InterruptException e) {
            // Kafka's way to say so sets the thread's mark again.
            Thread.interrupted();
            throw interrupted(e);
        } catch (KafkaException | ExecutionException e) {
            throw unreadable(e);
        }
    }

    private static boolean areDone(Stream<CompletableFuture<Void>> reads)
            throws ExecutionException, InterruptedException {
        List<CompletableFuture<Void>> all = reads.toList();
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(CATCH_UP.toMillis(),
                    TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } finally {
            all.forEach(read -> read.cancel(false));
        }
    }

    private static IllegalStateException unreadable(@Nullable Exception cause) {
        return new IllegalStateException("The announced instances of agents cannot be read now.", cause);
    }

    private static InterruptedException interrupted(InterruptException cause) {
        InterruptedException interrupted = new InterruptedException("interrupted while agents' instances were read");
        interrupted.initCause(cause);
        return interrupted;
    }
}
