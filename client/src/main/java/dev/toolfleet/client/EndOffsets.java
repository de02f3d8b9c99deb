package dev.toolfleet.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import dev.toolfleet.client.ToolFleetClientException.Reason;
import org.apache.kafka.common.TopicPartition;

/// Where a topic ended at some moment before now. A record that answers one yet to be sent stands after it, on
/// whichever partition that one lands. Thread-safe.
final class EndOffsets {
    /// Older ends are as right, but make a partition that is read for the first time begin long ago.
    private static final Duration FRESH = Duration.ofMinutes(1);

    /// @param before serves until `ends` are known
    private record Answer(CompletableFuture<Map<Integer, Long>> ends, long askedNanos, Map<Integer, Long> before) {
        boolean isKnown() {
            return ends.isDone() && !ends.isCompletedExceptionally();
        }
    }

    private final FollowLoop loop;
    private final String topic;
    private final List<TopicPartition> partitions;
    private final Duration timeout;
    private final AtomicReference<Answer> latest;

    EndOffsets(FollowLoop loop, String topic, int partitionCount, Duration timeout) {
        this.loop = loop;
        this.topic = topic;
        this.partitions = IntStream.range(0, partitionCount).mapToObj(p -> new TopicPartition(topic, p)).toList();
        this.timeout = timeout;
        this.latest = new AtomicReference<>(new Answer(
                CompletableFuture.failedFuture(new TimeoutException()), System.nanoTime(), Map.of()));
    }

    /// Ends of this moment or of a minute ago.
    Map<Integer, Long> recent() {
        Answer answer = latest.get();
        if (answer.isKnown() && System.nanoTime() - answer.askedNanos() < FRESH.toNanos())
            return answer.ends().join();
        Map<Integer, Long> before = answer.isKnown() ? answer.ends().join() : answer.before();
        if (answer.ends().isDone()) {
            Answer next = new Answer(ask(), System.nanoTime(), before);
            latest.compareAndSet(answer, next);
        }
        return before.isEmpty() ? await(latest.get().ends()) : before;
    }

    /// Ends of this moment.
    Map<Integer, Long> now() {
        return await(ask());
    }

    private CompletableFuture<Map<Integer, Long>> ask() {
        return loop.ends(partitions).thenApply(EndOffsets::byNumber);
    }

    private Map<Integer, Long> await(CompletableFuture<Map<Integer, Long>> ends) {
        try {
            return ends.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolFleetClientException(Reason.NOT_SENT, "interrupted while asking where " + topic + " ends", e);
        } catch (TimeoutException e) {
            throw unanswered(e);
        } catch (ExecutionException e) {
            throw unanswered(e.getCause() == null ? e : e.getCause());
        }
    }

    private ToolFleetClientException unanswered(Throwable cause) {
        return new ToolFleetClientException(Reason.NOT_SENT, "the broker did not say within " + timeout + " where "
                + topic + " ends, so nothing was sent: check that it can be reached (" + cause.getMessage() + ")",
                cause);
    }

    private static Map<Integer, Long> byNumber(Map<TopicPartition, Long> offsets) {
        Map<Integer, Long> ends = new HashMap<>();
        offsets.forEach((partition, offset) -> ends.put(partition.partition(), offset));
        return Map.copyOf(ends);
    }
}
