package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.awaitility.Awaitility.await;

class StateFollowerTest {
    private static final TopicPartition PARTITION = new TopicPartition("tool.resource", 0);

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final AtomicInteger applied = new AtomicInteger();
    private final AtomicInteger repeats = new AtomicInteger();
    private final StateFollower follower = new StateFollower(consumer, cause -> {});

    @Test
    void commandsThatNeverEndDoNotKeepRecordsFromBeingRead() throws Exception {
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.updateEndOffsets(Map.of(PARTITION, 0L));
        try (follower) {
            CompletableFuture<Void> caughtUp = follower.follow(PARTITION, new Counting());
            follower.start();
            caughtUp.get(60, TimeUnit.SECONDS);

            repeat();
            await().atMost(Duration.ofMinutes(1)).until(() -> repeats.get() > 10);
            consumer.schedulePollTask(() -> consumer
                    .addRecord(new ConsumerRecord<>(PARTITION.topic(), 0, 0, new byte[0], new byte[0])));

            await().atMost(Duration.ofMinutes(1)).until(() -> applied.get() == 1);
        }
    }

    private void repeat() {
        repeats.incrementAndGet();
        follower.run(this::repeat);
    }

    private final class Counting implements TopicView {
        @Override
        public void apply(int partition, String key, byte @Nullable [] value, long time) {
            applied.incrementAndGet();
        }

        @Override
        public void forget(int partition) {}
    }
}
