package dev.toolfleet.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import dev.toolfleet.client.ToolFleetClientException.Reason;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Ends of a topic's partitions at a past moment. The answer to a record that is sent later stands after them, on
/// whichever partition that record lands.
///
/// **Contract.** Each partition is queried separately. A partition that does not answer is missing from the ends. It is
/// then read from its beginning if a record lands there. It delays no other partition and no reading thread.
///
/// **Threads.** Thread-safe. A caller waits at its first query only.
final class EndOffsets {
    /// Returns the end of committed records of each partition. Never blocks; the futures complete in any order.
    @FunctionalInterface
    interface Source extends AutoCloseable {
        Map<TopicPartition, CompletableFuture<Long>> ask(List<TopicPartition> partitions);

        /// Fails the open queries.
        @Override
        default void close() {}
    }

    /// Older ends are also correct. But a partition that is read for the first time would then begin long ago.
    private static final Duration FRESH = Duration.ofMinutes(1);

    /// One query of every partition.
    ///
    /// @param over completes when each has answered or failed
    private record Round(Map<Integer, CompletableFuture<Long>> answers, CompletableFuture<Void> over,
            long askedNanos) {
        static Round of(Map<Integer, CompletableFuture<Long>> answers) {
            return new Round(answers, CompletableFuture.allOf(answers.values().stream()
                    .map(answer -> answer.handle((end, problem) -> null)).toArray(CompletableFuture[]::new)),
                    System.nanoTime());
        }

        boolean serves() {
            boolean fresh = System.nanoTime() - askedNanos < FRESH.toNanos();
            return !over.isDone() || (fresh && answers.values().stream()
                    .noneMatch(CompletableFuture::isCompletedExceptionally));
        }

        @Nullable
        Throwable problem() {
            return answers.values().stream().filter(CompletableFuture::isCompletedExceptionally).findFirst()
                    .map(CompletableFuture::exceptionNow).orElse(null);
        }
    }

    private final Source source;
    private final String topic;
    private final List<TopicPartition> partitions;
    private final Duration timeout;
    private final Map<Integer, Long> known = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Round> latest = new AtomicReference<>();

    /// @param timeout until a partition counts as not answering
    EndOffsets(Source source, String topic, int partitionCount, Duration timeout) {
        this.source = source;
        this.topic = topic;
        this.partitions = IntStream.range(0, partitionCount).mapToObj(p -> new TopicPartition(topic, p)).toList();
        this.timeout = timeout;
    }

    /// Returns the ends of now or of a minute ago, of the partitions that have answered. The first caller waits for all
    /// of them, but for half of the timeout at most once one has answered.
    Map<Integer, Long> recent() {
        Round round = latest.get();
        if (round == null || !round.serves()) {
            Round next = ask();
            latest.compareAndSet(round, next);
            round = next;
        }
        if (known.isEmpty()) {
            await(round, timeout.dividedBy(2));
            if (known.isEmpty())
                await(round, timeout.dividedBy(2));
            if (known.isEmpty())
                throw unanswered(partitionNumbers(), round.problem());
        }
        return Map.copyOf(known);
    }

    /// Returns the ends of now, of every partition.
    Map<Integer, Long> now() {
        Round round = ask();
        await(round, timeout);
        Map<Integer, Long> ends = new HashMap<>();
        Set<Integer> missing = partitionNumbers();
        round.answers().forEach((partition, answer) -> {
            if (answer.state() == CompletableFuture.State.SUCCESS) {
                ends.put(partition, answer.resultNow());
                missing.remove(partition);
            }
        });
        if (!missing.isEmpty())
            throw unanswered(missing, round.problem());
        return ends;
    }

    private Round ask() {
        Map<Integer, CompletableFuture<Long>> answers = new HashMap<>();
        source.ask(partitions).forEach((partition, end) -> answers.put(partition.partition(),
                end.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).thenApply(offset -> {
                    known.put(partition.partition(), offset);
                    return offset;
                })));
        return Round.of(answers);
    }

    private void await(Round round, Duration patience) {
        try {
            round.over().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolFleetClientException(Reason.NOT_SENT, "interrupted while asking where " + topic + " ends", e);
        } catch (TimeoutException | ExecutionException e) {
            // Partitions that have not answered are missing.
        }
    }

    private Set<Integer> partitionNumbers() {
        Set<Integer> numbers = new TreeSet<>();
        partitions.forEach(partition -> numbers.add(partition.partition()));
        return numbers;
    }

    private ToolFleetClientException unanswered(Set<Integer> missing, @Nullable Throwable cause) {
        String which = missing.size() == partitions.size() ? topic : topic + " " + missing;
        return new ToolFleetClientException(Reason.NOT_SENT, "the broker did not answer within " + timeout + " where "
                + which + " ends, so nothing was sent: check that it can be reached"
                + (cause == null || cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")"), cause);
    }
}
