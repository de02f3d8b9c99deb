package dev.toolfleet.worker.commit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.function.Function;

import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.assignment.Position.Source;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// A transaction loop over mock producers, driven turn by turn by its test.
final class LoopFixture implements PartitionListener {
    private static final CommitConfig CONFIG = new CommitConfig("calls", "resumed", Duration.ofMillis(2), 64,
            DoneOffsets.MAX_METADATA);

    final Ownership ownership = new Ownership(group());
    final List<Mock> producers = new ArrayList<>();
    final Map<Integer, DoneOffsets> stored = new HashMap<>();
    final Map<Integer, DoneOffsets> storedResumed = new HashMap<>();
    final Map<Integer, Long> frontiers = new HashMap<>();
    private final List<String> published = new CopyOnWriteArrayList<>();
    final List<String> told = new CopyOnWriteArrayList<>();
    final List<String> back = new ArrayList<>();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();
    final TransactionLoop loop;
    int readBacks;
    boolean unreadable;
    boolean reachable = true;
    long nanos;
    Function<String, @Nullable RuntimeException> refused = value -> null;
    /// A transaction with more bytes than this takes longer than it may.
    long mostBytes = Long.MAX_VALUE;
    /// Committed values, transaction by transaction.
    final List<List<String>> transactions = new CopyOnWriteArrayList<>();
    /// Values that were sent, transaction by transaction, committed or not.
    final List<List<String>> attempts = new CopyOnWriteArrayList<>();

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
                throw new TimeoutException("unstable");
            readBacks++;
            return new CommittedPositions(stored, storedResumed);
        }, targets -> CompletableFuture.completedFuture(reachable), this, () -> nanos);
        loop.ready();
    }

    /// One producer of the two ids; also one that commits and then loses the answer.
    final class Mock extends MockProducer<byte[], byte[]> {
        final int number;
        boolean losesAnswers;
        private final List<CompletableFuture<RecordMetadata>> late = new ArrayList<>();

        Mock(int number) {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
            this.number = number;
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
            String value = new String(record.value(), StandardCharsets.UTF_8);
            attempts.getLast().add(value);
            RuntimeException no = refused.apply(value);
            if (no != null)
                return CompletableFuture.failedFuture(no);
            Future<RecordMetadata> sent = super.send(record);
            if (bytes() <= mostBytes)
                return sent;
            late.add(new CompletableFuture<>());
            return late.getLast();
        }

        @Override
        public void beginTransaction() {
            super.beginTransaction();
            attempts.add(new ArrayList<>());
        }

        void heal() {
            sendOffsetsToTransactionException = null;
            commitTransactionException = null;
        }

        private long bytes() {
            return uncommittedRecords().stream().mapToLong(record -> record.value().length).sum();
        }

        @Override
        public synchronized void flush() {
            super.flush();
            late.forEach(one -> one.completeExceptionally(new TimeoutException("not sent in time")));
            late.clear();
        }

        @Override
        public void commitTransaction() {
            int before = history().size();
            super.commitTransaction();
            List<String> values = history().stream().skip(before)
                    .map(record -> new String(record.value(), StandardCharsets.UTF_8)).toList();
            published.addAll(values);
            transactions.add(values);
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
        loop.opened(partition, epoch, Beginnings.of(DoneOffsets.from(0), DoneOffsets.from(0)));
        Offsets offsets = new Offsets();
        for (int offset = 0; offset < calls; offset++)
            offsets.add(offset);
        loop.tracked(Source.CALLS, partition, epoch, offsets, calls);
        return this;
    }

    /// Turns until nothing changes any more.
    void settle() {
        for (int turn = 0; turn < 50; turn++)
            loop.step();
    }

    void finish(int partition, long epoch, long... offsets) {
        for (long offset : offsets)
            finishWith(partition, epoch, offset, partition + "/" + offset);
    }

    void finishWith(int partition, long epoch, long offset, String value) {
        loop.finished(new Outcome(new Position(partition, epoch, offset),
                List.of(new ProducerRecord<>("results", partition, null, value.getBytes(StandardCharsets.UTF_8)))));
    }

    /// Returns the committed records in their order.
    List<String> published() {
        return published;
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
    public void held(int partition, long epoch, Hold why, boolean on) {
        told.add(partition + "@" + epoch + " " + why + (on ? " on" : " off"));
    }

    @Override
    public void committed(int partition, long epoch, OffsetAndMetadata calls) {
        frontiers.put(partition, calls.offset());
    }

    @Override
    public void wentBack(int partition, long epoch) {
        back.add(partition + " epoch " + epoch);
    }

    @Override
    public void fenced() {
        told.add("fenced");
    }

    @Override
    public void failed(Throwable cause) {
        failures.add(cause);
    }
}
