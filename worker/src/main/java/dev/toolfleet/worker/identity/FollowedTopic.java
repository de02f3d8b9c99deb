package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.state.TopicOffsets;
import dev.toolfleet.worker.state.TopicView;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/// Topic of one partition that workers follow, as their calls wait for it: `agent.label` and `tool.budget`.
///
/// **Contract.** [#caughtUp()] returns true when the view has every record that was written before the call of that
/// method, also in transactions that were open then.
///
/// **Threads.** Thread-safe. Threads that wait at the same time share one look-up of the topic's end: one that begins
/// after they came. Otherwise: a record is written after the look-up and before the thread joins it, and is missed.
public final class FollowedTopic {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedTopic.class);
    /// More than a broker takes to abort the transaction of a worker that died: its timeout, 10 s, and the next look.
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final String name;
    private final Reads reads;
    private final Executor executor;
    private final Duration patience;
    private @Nullable CompletableFuture<Void> next;
    private boolean busy;

    /// Reads of the topic.
    interface Reads {
        /// Returns the end of the topic, transactions included that are open.
        ///
        /// @throws KafkaException if the broker does not answer
        long end();

        /// Completes once everything before the end is applied.
        CompletableFuture<Void> upTo(long end);

        /// Follows the topic; completes once what it has now is applied.
        CompletableFuture<Void> follow(TopicView view);
    }

    /// Makes the topic of a worker.
    ///
    /// @param partition its only one
    public FollowedTopic(TopicPartition partition, StateFollower follower, TopicOffsets offsets) {
        this(partition.topic(), new Reads() {
            @Override
            public long end() {
                return requireNonNull(offsets.ends(Set.of(partition)).get(partition));
            }

            @Override
            public CompletableFuture<Void> upTo(long end) {
                return follower.readUpTo(partition, end);
            }

            @Override
            public CompletableFuture<Void> follow(TopicView view) {
                return follower.follow(partition, view);
            }
        }, Thread::startVirtualThread, PATIENCE);
    }

    /// @param name of the topic
    /// @param patience the longest wait
    FollowedTopic(String name, Reads reads, Executor executor, Duration patience) {
        this.name = name;
        this.reads = reads;
        this.executor = executor;
        this.patience = patience;
    }

    /// Follows the topic; completes once the view has what it holds now.
    public CompletableFuture<Void> follow(TopicView view) {
        return reads.follow(view);
    }

    /// Waits until the view has all records that were written before this call.
    ///
    /// @return false when that takes too long, or the topic cannot be read
    public boolean caughtUp() throws InterruptedException {
        try {
            var _ = join().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            LOG.atWarn().addKeyValue("topic", name).addKeyValue(LogKeys.REASON, e.toString())
                    .log("topic could not be read to its end; calls that depend on it are refused");
            return false;
        }
    }

    private CompletableFuture<Void> join() {
        CompletableFuture<Void> mine;
        boolean start;
        synchronized (this) {
            if (next == null)
                next = new CompletableFuture<>();
            mine = next;
            start = !busy;
            busy = true;
        }
        if (start)
            executor.execute(this::lookUp);
        // A copy: a waiter that gives up must not end the others' wait.
        return mine.copy();
    }

    private void lookUp() {
        while (true) {
            CompletableFuture<Void> batch;
            synchronized (this) {
                batch = next;
                next = null;
                if (batch == null) {
                    busy = false;
                    return;
                }
            }
            try {
                var _ = reads.upTo(reads.end()).whenComplete((_, failure) -> {
                    if (failure == null)
                        batch.complete(null);
                    else
                        batch.completeExceptionally(failure);
                });
            } catch (RuntimeException e) {
                batch.completeExceptionally(e);
            }
        }
    }
}
