package dev.toolfleet.streams;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ThreadReplacementTest {
    private final AtomicBoolean ready = new AtomicBoolean(true);
    private final AtomicLong nanos = new AtomicLong();
    private final List<Duration> pauses = new ArrayList<>();
    private final ThreadReplacement threads = new ThreadReplacement("the test", ready::get, nanos::get, pauses::add);
    private final RuntimeException problem = new IllegalStateException("test: a thread died");

    @Test
    void aFailureBeforeTheRunIsReadyEndsTheStart() {
        ready.set(false);

        assertThat(threads.handle(problem)).isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
        assertThat(threads.last()).isSameAs(problem);
        assertThat(threads.count()).isZero();
    }

    @Test
    void aThreadThatKeepsDyingIsReplacedMoreAndMoreSlowly() {
        for (int i = 0; i < 12; i++)
            assertThat(threads.handle(problem)).isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);

        assertThat(threads.count()).isEqualTo(12);
        assertThat(pauses).startsWith(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400))
                .endsWith(Duration.ofSeconds(10), Duration.ofSeconds(10));
    }

    @Test
    void aFailureLongAfterTheLastOneCountsAsTheFirst() {
        threads.handle(problem);
        threads.handle(problem);
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        threads.handle(problem);

        assertThat(pauses).containsExactly(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(100));
    }
}
