package dev.toolfleet.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EndOffsetsTest {
    private final Map<Integer, CompletableFuture<Long>> answers = new ConcurrentHashMap<>();
    private final AtomicInteger asked = new AtomicInteger();

    private EndOffsets ends(Duration timeout) {
        return new EndOffsets(this::ask, "tool.result", 3, timeout);
    }

    private Map<TopicPartition, CompletableFuture<Long>> ask(List<TopicPartition> partitions) {
        asked.incrementAndGet();
        return partitions.stream().collect(Collectors.toMap(Function.identity(),
                partition -> answers.getOrDefault(partition.partition(), new CompletableFuture<>()).copy()));
    }

    private void answer(int partition, long end) {
        answers.put(partition, CompletableFuture.completedFuture(end));
    }

    @Test
    void allThatAnswerAreKnownToTheFirstCaller() {
        answer(0, 5);
        answer(1, 6);
        answer(2, 7);
        EndOffsets ends = ends(Duration.ofMinutes(2));

        assertThat(ends.recent()).isEqualTo(Map.of(0, 5L, 1, 6L, 2, 7L));
        assertThat(ends.now()).isEqualTo(Map.of(0, 5L, 1, 6L, 2, 7L));
        ends.recent();
        assertThat(asked).as("a minute old is as right").hasValue(2);
    }

    @Test
    void aPartitionThatDoesNotAnswerIsMissingAndHoldsUpNoOther() {
        answer(0, 5);
        answer(2, 7);
        EndOffsets ends = ends(Duration.ofMillis(200));

        assertThat(ends.recent()).isEqualTo(Map.of(0, 5L, 2, 7L));
        assertThatThrownBy(ends::now).isInstanceOf(ToolFleetClientException.class)
                .hasMessageContaining("tool.result [1] ends");
    }

    @Test
    void aPartitionThatFailsIsAskedAgainByTheNextCaller() {
        answer(0, 5);
        answer(1, 6);
        answers.put(2, CompletableFuture.failedFuture(new TimeoutException("no leader")));
        EndOffsets ends = ends(Duration.ofMinutes(2));
        assertThat(ends.recent()).isEqualTo(Map.of(0, 5L, 1, 6L));

        answer(2, 7);

        ends.recent();
        assertThat(ends.recent()).containsEntry(2, 7L);
        assertThat(asked).hasValue(2);
    }

    @Test
    void aBrokerThatAnswersForNoPartitionIsNamedWithItsProblem() {
        for (int partition = 0; partition < 3; partition++)
            answers.put(partition, CompletableFuture.failedFuture(new TimeoutException("no broker")));

        assertThatThrownBy(ends(Duration.ofMinutes(2))::recent).isInstanceOf(ToolFleetClientException.class)
                .hasMessageContaining("where tool.result ends").hasMessageContaining("no broker");
    }
}
