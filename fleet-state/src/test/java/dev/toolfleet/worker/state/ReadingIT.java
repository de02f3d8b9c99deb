package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/// Reads of topics while transactions are open on them.
@EmbeddedKafkaTest
class ReadingIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofMillis(300);

    @Test
    void scanReadsWhatIsCommittedPastMarkersAndAbortedRecords(KafkaFixture kafka) {
        TopicPartition partition = new TopicPartition(kafka.create("scan", 1), 0);
        try (KafkaProducer<String, String> producer = transactional(kafka);
                SpareConsumers consumers = consumers(kafka)) {
            send(producer, partition, "a", "b");
            producer.commitTransaction();
            send(producer, partition, "aborted");
            producer.abortTransaction();
            send(producer, partition, "c");
            producer.commitTransaction();
            send(producer, partition, "aborted");
            producer.abortTransaction();
            RangeReader scan = new RangeReader(consumers, PATIENCE, 200);
            long end = 9;
            // The coordinator answers when its own log has the decision, and writes the marker after that.
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(end(kafka, partition)).isEqualTo(end));

            assertThat(values(scan, partition, 0, end)).containsExactly("a", "b", "c");
            assertThat(values(scan, partition, 1, 6)).containsExactly("b", "c");
            assertThat(values(scan, partition, 2, 5)).isEmpty();
            assertThat(requireNonNull(scan.first(partition, 1, end)).value()).isEqualTo("b".getBytes(UTF_8));
            assertThat(scan.first(partition, 6, end)).isNull();
        }
    }

    @Test
    void scanWaitsForAnOpenTransactionAndTellsThatItDoes(KafkaFixture kafka) {
        TopicPartition partition = new TopicPartition(kafka.create("open", 1), 0);
        try (KafkaProducer<String, String> producer = transactional(kafka);
                SpareConsumers consumers = consumers(kafka)) {
            send(producer, partition, "a");
            long end = end(kafka, partition);
            assertThat(end).as("behind what is open").isEqualTo(1);
            assertThat(offsets(kafka).committedEnd(partition)).isZero();
            List<String> read = new ArrayList<>();
            AtomicBoolean committed = new AtomicBoolean();

            assertThatThrownBy(() -> new RangeReader(consumers, Duration.ofMillis(1), 1).read(partition, 0, end,
                    record -> read.add("too early"), () -> {})).isInstanceOf(TimeoutException.class);
            new RangeReader(consumers, PATIENCE, 200).read(partition, 0, end,
                    record -> read.add(new String(record.value(), UTF_8)), () -> {
                        if (committed.compareAndSet(false, true))
                            producer.commitTransaction();
                    });

            assertThat(read).containsExactly("a");
        }
    }

    @Test
    void followerReadsUpToAnEndThatIsStillUndecided(KafkaFixture kafka) throws Exception {
        TopicPartition partition = new TopicPartition(kafka.create("follow", 1), 0);
        Seen seen = new Seen();
        StateFollower follower = new StateFollower(reader(kafka), new AdminOffsets(kafka.admin(), TIMEOUT),
                System::nanoTime, cause -> {});
        try (KafkaProducer<String, String> producer = transactional(kafka); follower) {
            send(producer, partition, "a");
            follower.start();
            follower.follow(partition, seen).get(60, TimeUnit.SECONDS);

            CompletableFuture<Void> read = follower.readUpTo(partition, end(kafka, partition));
            follower.catchUp(partition).get(60, TimeUnit.SECONDS);
            assertThat(seen.values).isEmpty();
            assertThat(read).isNotDone();
            producer.commitTransaction();
            read.get(60, TimeUnit.SECONDS);

            assertThat(seen.values).containsExactly("a");
            assertThatThrownBy(() -> follower.readUpTo(new TopicPartition("other", 0), 1).get(60, TimeUnit.SECONDS))
                    .hasMessageContaining("not followed");
        }
    }

    @Test
    void aPartitionThatIsNotThereHoldsUpNoOtherOfTheFollower(KafkaFixture kafka) throws Exception {
        TopicPartition there = new TopicPartition(kafka.create("grown", 1), 0);
        TopicPartition missing = new TopicPartition(there.topic(), 1);
        Seen seen = new Seen();
        StateFollower follower = new StateFollower(reader(kafka), new AdminOffsets(kafka.admin(), TIMEOUT),
                System::nanoTime, cause -> {});
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(kafka.producerProperties(),
                new StringSerializer(), new StringSerializer()); follower) {
            follower.start();
            CompletableFuture<Void> never = follower.follow(missing, seen);
            CompletableFuture<Void> neverSince = follower.followSince(new TopicPartition(there.topic(), 2), seen, 1);
            CompletableFuture<Void> neverUpTo = follower.readUpTo(missing, 1);

            follower.follow(there, seen).get(30, TimeUnit.SECONDS);
            producer.send(new ProducerRecord<>(there.topic(), 0, "k", "a")).get();
            follower.catchUp(there).get(30, TimeUnit.SECONDS);

            assertThat(seen.values).containsExactly("a");
            assertThat(List.of(never, neverSince, neverUpTo)).noneMatch(CompletableFuture::isDone);
        }
    }

    @Test
    void followerBeginsAtATimeOrAtWhatComesNext(KafkaFixture kafka) throws Exception {
        TopicPartition some = new TopicPartition(kafka.create("since", 2, Map.of("retention.ms", "-1")), 0);
        TopicPartition none = new TopicPartition(some.topic(), 1);
        Seen seen = new Seen();
        StateFollower follower = new StateFollower(reader(kafka), new AdminOffsets(kafka.admin(), TIMEOUT),
                System::nanoTime, cause -> {});
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(kafka.producerProperties(),
                new StringSerializer(), new StringSerializer()); follower) {
            for (TopicPartition partition : List.of(some, none)) {
                for (long time : List.of(1_000L, 2_000L, 3_000L))
                    producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), time, "k",
                            partition.partition() + " at " + time)).get();
            }
            follower.start();

            follower.followSince(some, seen, 2_000).get(60, TimeUnit.SECONDS);
            follower.followSince(none, seen, 4_000).get(60, TimeUnit.SECONDS);
            assertThat(seen.values).containsExactly("0 at 2000", "0 at 3000");
            producer.send(new ProducerRecord<>(none.topic(), 1, 3_500L, "k", "next")).get();
            follower.catchUp(none).get(60, TimeUnit.SECONDS);
            assertThat(seen.values).endsWith("next");
        }
    }

    @Test
    void membersOfAGroupAreKnownByTheirIds(KafkaFixture kafka) {
        String topic = kafka.create("members", 1);
        String group = kafka.newGroup();
        Map<String, Object> properties = kafka.consumerProperties(group);
        properties.put("client.id", GroupMembers.clientId("w1"));
        GroupMembers members = new GroupMembers(kafka.admin(), group, PATIENCE, TIMEOUT);
        try (KafkaConsumer<byte[], byte[]> member = new KafkaConsumer<>(properties, new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            member.subscribe(List.of(topic));
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                member.poll(Duration.ofMillis(50));
                return !member.assignment().isEmpty();
            });
            String id = member.groupMetadata().memberId();

            assertThat(members.members()).containsExactly(new GroupMembers.Member(id, "w1-poll"));
            assertThat(members.isMember(id)).isTrue();
            assertThat(members.isMember(id + "x")).isFalse();
            assertThat(members.of("nobody's group")).isEmpty();
        }
    }

    private static KafkaProducer<String, String> transactional(KafkaFixture kafka) {
        Map<String, Object> properties = kafka.producerProperties();
        properties.put("transactional.id", kafka.newGroup());
        KafkaProducer<String, String> producer = new KafkaProducer<>(properties, new StringSerializer(),
                new StringSerializer());
        producer.initTransactions();
        return producer;
    }

    /// Into a transaction that stays open.
    private static void send(KafkaProducer<String, String> producer, TopicPartition partition, String... values) {
        producer.beginTransaction();
        for (String value : values) {
            var _ = producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), "k", value));
        }
        producer.flush();
    }

    private static List<String> values(RangeReader scan, TopicPartition partition, long from, long end) {
        List<String> values = new ArrayList<>();
        scan.read(partition, from, end, record -> values.add(new String(record.value(), UTF_8)), () -> {});
        return values;
    }

    private static long end(KafkaFixture kafka, TopicPartition partition) {
        return requireNonNull(offsets(kafka).ends(List.of(partition)).get(partition));
    }

    private static TopicOffsets offsets(KafkaFixture kafka) {
        return new TopicOffsets(kafka.admin(), TIMEOUT);
    }

    private static SpareConsumers consumers(KafkaFixture kafka) {
        return new SpareConsumers(() -> reader(kafka));
    }

    private static Consumer<byte[], byte[]> reader(KafkaFixture kafka) {
        Map<String, Object> properties = kafka.consumerProperties(kafka.newGroup());
        properties.put("isolation.level", "read_committed");
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static final class Seen implements TopicView {
        final List<String> values = new CopyOnWriteArrayList<>();

        @Override
        public void apply(int partition, String key, byte @Nullable [] value, long time) {
            values.add(value == null ? key : new String(value, UTF_8));
        }

        @Override
        public void forget(int partition) {}
    }
}
