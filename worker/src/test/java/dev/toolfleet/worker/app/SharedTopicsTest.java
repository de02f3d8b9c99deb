package dev.toolfleet.worker.app;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import dev.toolfleet.topic.Topics;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SharedTopicsTest {
    private static final CompletableFuture<Void> READ = CompletableFuture.completedFuture(null);

    private final AtomicLong records = new AtomicLong();
    private final CompletableFuture<Void> silent = new CompletableFuture<>();
    private final SharedTopics topics = new SharedTopics(new Topics("p."), records::get, Duration.ofMillis(5));

    @Test
    void aPartitionOfInstancesThatDoesNotAnswerStopsNoStart() {
        topics.await(List.of(READ), List.of(READ, silent));

        assertThat(silent).isNotDone();
    }

    @Test
    void aTopicThatEveryCallNeedsStopsTheStart() {
        assertThatThrownBy(() -> topics.await(List.of(READ, silent), List.of(READ)))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("p.tool.resource");
        CompletableFuture<Void> refused = CompletableFuture.failedFuture(new SecurityException("not for you"));
        assertThatThrownBy(() -> topics.await(List.of(READ, refused), List.of(silent)))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("not for you");
    }

    @Test
    void instancesAreWaitedForWhileRecordsCome() {
        AtomicLong asked = new AtomicLong();
        SharedTopics reading = new SharedTopics(new Topics(""), () -> {
            if (asked.incrementAndGet() == 5)
                silent.complete(null);
            return asked.get();
        }, Duration.ofMillis(5));

        reading.await(List.of(READ), List.of(silent));

        assertThat(silent).isDone();
        assertThat(asked.get()).isGreaterThanOrEqualTo(5);
    }
}
