package dev.toolfleet.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FollowLoopTest {
    private static final TopicPartition PARTITION = new TopicPartition("tool.result", 0);
    private static final TopicPartition OTHER = new TopicPartition("tool.result", 1);

    private final ScriptedConsumer consumer = new ScriptedConsumer();
    private final Heard heard = new Heard();
    private final FollowLoop loop = new FollowLoop(consumer, "test-reader", heard);

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void aPartitionThatIsFollowedIsFollowedWithoutDisturbingTheConsumer() {
        loop.start();
        loop.follow(PARTITION, 5);
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> loop.positions().containsKey(PARTITION));
        int before = consumer.wakeUps.get();

        for (int call = 0; call < 100; call++)
            loop.follow(PARTITION, 5 + call);

        assertThat(consumer.wakeUps.get()).isEqualTo(before);
        loop.follow(PARTITION, 4);
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> consumer.seeks.equals(List.of(5L, 4L)));
    }

    @Test
    void commandsThatWaitTogetherWakeTheConsumerOnce() {
        for (int call = 0; call < 100; call++)
            loop.readAgain(PARTITION, call);

        assertThat(consumer.wakeUps.get()).isEqualTo(1);
        loop.start();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> loop.positions().containsKey(PARTITION));
        assertThat(consumer.seeks).containsExactly(0L);
    }

    @Test
    void aPartitionThatLostItsLeaderKeepsNoOtherFromBeingRead() {
        loop.start();
        loop.follow(PARTITION, 0);
        loop.follow(OTHER, 4);
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> loop.positions().containsKey(OTHER));

        consumer.positionUnknown = true;
        consumer.addRecord(record(0));
        consumer.addRecord(record(1));

        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> heard.offsets.equals(List.of(0L, 1L)));
        Awaitility.await().atMost(Duration.ofMinutes(1))
                .until(() -> loop.positions().equals(Map.of(PARTITION, 2L, OTHER, 4L)));
        assertThat(loop.problem()).isEmpty();
        assertThat(consumer.patience).as("no position is waited for").containsOnly(Duration.ZERO);
    }

    @Test
    void aPartitionIsReadAgainThoughTheBrokerDoesNotSayWhereItIsRead() {
        loop.start();
        loop.follow(PARTITION, 0);
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> loop.positions().containsKey(PARTITION));
        consumer.addRecord(record(0));
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> heard.offsets.equals(List.of(0L)));

        consumer.positionUnknown = true;
        loop.readAgain(PARTITION, 0);

        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> consumer.seeks.equals(List.of(0L, 0L)));
    }

    @Test
    void aPartitionThatWasNotReadThatFarIsNotReadAgain() {
        loop.start();
        loop.follow(PARTITION, 3);
        loop.readAgain(PARTITION, 3);
        loop.readAgain(PARTITION, 9);
        loop.readAgain(PARTITION, 2);

        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> consumer.seeks.equals(List.of(3L, 2L)));
    }

    @Test
    void aCommandThatFailsIsTriedAgain() {
        consumer.failingSeeks.set(1);
        loop.start();

        loop.follow(PARTITION, 5);
        loop.follow(OTHER, 6);

        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> consumer.seeks.equals(List.of(5L, 6L)));
    }

    @Test
    void anErrorEndsTheLoopAndIsTold() {
        consumer.error = new LinkageError("as asked");
        loop.start();
        loop.follow(PARTITION, 0);

        assertThat(heard.broken.orTimeout(60, TimeUnit.SECONDS).join()).isSameAs(consumer.error);
        assertThat(loop.problem()).contains("reading thread ended", "as asked");
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(consumer::closed);
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset) {
        return new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, new byte[0], new byte[0]);
    }

    private static final class Heard implements FollowLoop.Sink {
        private final List<Long> offsets = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Throwable> broken = new CompletableFuture<>();

        @Override
        public void accept(ConsumerRecord<byte[], byte[]> record) {
            offsets.add(record.offset());
        }

        @Override
        public void broke(Throwable cause) {
            broken.complete(cause);
        }
    }

    /// A wake-up discards the request in flight, as the real one's does.
    private static final class ScriptedConsumer extends MockConsumer<byte[], byte[]> {
        private final AtomicInteger wakeUps = new AtomicInteger();
        private final AtomicInteger failingSeeks = new AtomicInteger();
        private final List<Long> seeks = new CopyOnWriteArrayList<>();
        private final Set<Duration> patience = ConcurrentHashMap.newKeySet();
        private volatile boolean positionUnknown;
        private volatile @Nullable Error error;

        ScriptedConsumer() {
            super("earliest");
        }

        @Override
        public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            Error asked = error;
            if (asked != null)
                throw asked;
            return super.poll(timeout);
        }

        @Override
        public synchronized void wakeup() {
            wakeUps.incrementAndGet();
            super.wakeup();
        }

        @Override
        public synchronized void seek(TopicPartition partition, long offset) {
            if (failingSeeks.getAndDecrement() > 0)
                throw new TimeoutException("as asked");
            seeks.add(offset);
            super.seek(partition, offset);
        }

        @Override
        public synchronized long position(TopicPartition partition, Duration timeout) {
            patience.add(timeout);
            return super.position(partition, timeout);
        }

        @Override
        public synchronized long position(TopicPartition partition) {
            if (positionUnknown)
                throw new TimeoutException("as asked");
            return super.position(partition);
        }
    }
}
