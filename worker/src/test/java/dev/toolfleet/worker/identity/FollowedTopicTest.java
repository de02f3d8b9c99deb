package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import dev.toolfleet.worker.state.TopicView;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FollowedTopicTest {
    private final FakeReads reads = new FakeReads();

    /// Each look-up of the end is answered by the test.
    private static final class FakeReads implements FollowedTopic.Reads {
        final List<Long> readUpTo = new ArrayList<>();
        final CountDownLatch looking = new CountDownLatch(1);
        final CountDownLatch mayAnswer = new CountDownLatch(1);
        volatile long end;
        volatile boolean blocks;
        volatile boolean broken;
        volatile boolean open;

        @Override
        public long end() {
            if (broken)
                throw new TimeoutException("no leader");
            long seen = end;
            if (blocks) {
                looking.countDown();
                try {
                    mayAnswer.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return seen;
        }

        @Override
        public synchronized CompletableFuture<Void> upTo(long until) {
            readUpTo.add(until);
            return open ? new CompletableFuture<>() : CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> follow(TopicView view) {
            return CompletableFuture.completedFuture(null);
        }
    }

    private FollowedTopic topic(Duration patience) {
        return new FollowedTopic("agent.label", reads, Thread::startVirtualThread, patience);
    }

    @Test
    void itReadsToTheEndOfNow() throws InterruptedException {
        FollowedTopic topic = topic(Duration.ofMinutes(1));
        reads.end = 7;
        assertThat(topic.caughtUp()).isTrue();
        reads.end = 9;
        assertThat(topic.caughtUp()).isTrue();

        assertThat(reads.readUpTo).containsExactly(7L, 9L);
    }

    /// Otherwise: a label is written after the end was looked up, and a call that comes then shares that look-up.
    @Test
    void aCallThatComesDuringALookUpWaitsForTheNext() throws Exception {
        FollowedTopic topic = topic(Duration.ofMinutes(1));
        reads.end = 7;
        reads.blocks = true;
        CompletableFuture<Boolean> first = caughtUp(topic);
        reads.looking.await();
        reads.end = 8;
        List<CompletableFuture<Boolean>> later = List.of(caughtUp(topic), caughtUp(topic));
        reads.mayAnswer.countDown();

        assertThat(first.get()).isTrue();
        for (CompletableFuture<Boolean> each : later)
            assertThat(each.get()).isTrue();
        assertThat(reads.readUpTo.getFirst()).isEqualTo(7);
        assertThat(reads.readUpTo.subList(1, reads.readUpTo.size())).isNotEmpty().containsOnly(8L);
    }

    @Test
    void aBrokerThatDoesNotAnswerIsNoAnswer() throws InterruptedException {
        FollowedTopic topic = topic(Duration.ofMinutes(1));
        reads.broken = true;
        assertThat(topic.caughtUp()).isFalse();
        reads.broken = false;
        assertThat(topic.caughtUp()).isTrue();
    }

    @Test
    void aTransactionThatStaysOpenIsWaitedForNotForEver() throws InterruptedException {
        reads.open = true;

        assertThat(topic(Duration.ofMillis(20)).caughtUp()).isFalse();
    }

    private static CompletableFuture<Boolean> caughtUp(FollowedTopic topic) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(topic.caughtUp());
            } catch (InterruptedException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }
}
