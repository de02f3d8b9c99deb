package dev.toolfleet.worker.commit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// A transaction loop over mock producers, driven turn by turn by its test.
final class LoopFixture implements PartitionListener {
    private static final CommitConfig CONFIG = new CommitConfig("calls", Duration.ofMillis(2), 64,
            DoneOffsets.MAX_METADATA);

    final Ownership ownership = new Ownership(group());
    final List<Mock> producers = new ArrayList<>();
    final Map<Integer, DoneOffsets> stored = new HashMap<>();
    final List<String> told = new CopyOnWriteArrayList<>();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();
    final TransactionLoop loop;
    int readBacks;
    boolean unreadable;

    private static ConsumerGroupMetadata group() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            return member.groupMetadata();
        }
    }

    LoopFixture() {
        this(CONFIG);
    }

    LoopFixture(CommitConfig config) {
        loop = new TransactionLoop(config, ownership, this::producer, partitions -> {
            if (unreadable)
                throw new org.apache.kafka.common.errors.TimeoutException("unstable");
            readBacks++;
            return Map.copyOf(stored);
        }, this);
        loop.ready();
    }

    /// One producer of the two ids; also one that commits and then loses the answer.
    static final class Mock extends MockProducer<byte[], byte[]> {
        final int number;
        boolean losesAnswers;

        Mock(int number) {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
            this.number = number;
        }

        @Override
        public void commitTransaction() {
            super.commitTransaction();
            if (losesAnswers)
                throw new org.apache.kafka.common.KafkaException("answer lost");
        }
    }

    private Producer<byte[], byte[]> producer(int number) {
        Mock producer = new Mock(number);
        producers.add(producer);
        return producer;
    }

    LoopFixture owning(Map<Integer, Long> epochs) {
        ownership.publish(new Ownership.Snapshot(ownership.current().group(), epochs));
        return this;
    }

    /// An assignment from offset 0 whose first calls are in flight.
    LoopFixture tracking(int partition, long epoch, int calls) {
        loop.opened(partition, epoch, DoneOffsets.from(0));
        Offsets offsets = new Offsets();
        for (int offset = 0; offset < calls; offset++)
            offsets.add(offset);
        loop.tracked(partition, epoch, offsets, calls);
        return this;
    }

    void finish(int partition, long epoch, long... offsets) {
        for (long offset : offsets) {
            byte[] value = (partition + "/" + offset).getBytes(StandardCharsets.UTF_8);
            loop.finished(new Outcome(new Position(partition, epoch, offset),
                    List.of(new ProducerRecord<>("results", value))));
        }
    }

    /// What was committed, in the order of commits of each producer.
    List<String> published() {
        return producers.stream().flatMap(LoopFixture::published).toList();
    }

    private static Stream<String> published(Mock producer) {
        return producer.history().stream().map(record -> new String(record.value(), StandardCharsets.UTF_8));
    }

    /// The offsets that a producer committed, transaction by transaction.
    List<OffsetAndMetadata> committed(int producer, int partition) {
        List<OffsetAndMetadata> offsets = new ArrayList<>();
        for (var transaction : producers.get(producer).consumerGroupOffsetsHistory()) {
            OffsetAndMetadata offset = transaction.getOrDefault(ownership.current().group().groupId(), Map.of())
                    .get(new TopicPartition("calls", partition));
            if (offset != null)
                offsets.add(offset);
        }
        return offsets;
    }

    @Override
    public void metadataFull(int partition, long epoch, boolean full) {
        told.add(partition + "@" + epoch + (full ? " full" : " has room"));
    }

    @Override
    public void failed(Throwable cause) {
        failures.add(cause);
    }
}
