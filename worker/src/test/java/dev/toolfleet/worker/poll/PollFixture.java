package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import dev.toolfleet.worker.assignment.Lease;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.commit.Beginnings;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.PartitionState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A poll loop over a mock consumer, driven turn by turn by its test, with an engine that writes down what it is told.
final class PollFixture implements PollListener, TakeOvers {
    static final String TOPIC = "calls";
    static final Incarnation LOG = new Incarnation("calls-1", "resumed-1", "cluster");
    static final PartitionState STATE = new PartitionState(new DedupeConfig(Duration.ZERO, 1), System::nanoTime);

    final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    final FakeLease lease = new FakeLease();
    final Ownership ownership = new Ownership(consumer.groupMetadata(), lease);
    final List<String> told = new CopyOnWriteArrayList<>();
    /// The epoch of each partition's assignment, as take-overs were begun.
    final Map<Integer, Long> epochs = new HashMap<>();
    final List<Long> offered = new ArrayList<>();
    final PollLoop loop;
    /// Offsets from which on calls are refused, by partition.
    final Map<Integer, Long> refusedFrom = new HashMap<>();
    /// True if the loop reported that it drains before it had acted on that.
    boolean saidToDrain;
    CompletableFuture<Void> committed = CompletableFuture.completedFuture(null);
    CompletableFuture<Void> silent = CompletableFuture.completedFuture(null);

    /// Lease that the test ends.
    static final class FakeLease implements Lease {
        boolean expired;

        @Override
        public boolean expired() {
            return expired;
        }

        @Override
        public Duration age() {
            return Duration.ofSeconds(7);
        }
    }

    PollFixture(int... assigned) {
        this(Duration.ofMinutes(1), assigned);
    }

    /// @param patience how long a revoke waits for what has finished
    PollFixture(Duration patience, int... assigned) {
        loop = new PollLoop(new PollConfig(TOPIC, Duration.ofMillis(50), Duration.ofMillis(1), Duration.ZERO,
                patience, Duration.ZERO),
                consumer, ownership, this, this);
        loop.subscribe();
        rebalance(assigned);
    }

    static TopicPartition partition(int number) {
        return new TopicPartition(TOPIC, number);
    }

    /// Gives the group member these partitions. A cooperative protocol passes only the changes; the mock revokes and
    /// assigns all of them.
    void rebalance(int... numbers) {
        consumer.rebalance(IntStream.of(numbers).mapToObj(PollFixture::partition).toList());
        for (int number : numbers)
            consumer.updateBeginningOffsets(Map.of(partition(number), 0L));
    }

    /// Puts calls on a partition of the topic.
    void calls(int partition, long... offsets) {
        for (long offset : offsets) {
            String call = "{\"id\":\"c" + offset + "\",\"name\":\"t__x\",\"instanceKey\":\"i\"}";
            consumer.addRecord(
                    new ConsumerRecord<>(TOPIC, partition, offset, "i".getBytes(UTF_8), call.getBytes(UTF_8)));
        }
    }

    static TakeOver.Restored restored(DoneOffsets start) {
        return new TakeOver.Restored(Beginnings.of(start, DoneOffsets.from(0)), STATE, LOG, List.of());
    }

    void adopt(int partition, DoneOffsets start) {
        loop.adopt(partition, epochs.getOrDefault(partition, -1L),
                restored(start));
    }

    String snapshot() {
        return ownership.current().epochs().keySet().stream().sorted().toList().toString();
    }

    @Override
    public void opened(int partition, long epoch, TakeOver.Restored from) {
        told.add("opened " + partition + " at " + from.start().frontier());
    }

    @Override
    public void read(int partition, long epoch, long first, long appendedAt) {
        told.add("read " + partition + " from " + first);
    }

    @Override
    public void tracked(int partition, long epoch, Offsets offsets, long next) {
        List<Long> all = new ArrayList<>();
        offsets.forEach(all::add);
        told.add("tracked " + partition + " " + all + " next " + next);
    }

    @Override
    public boolean offer(Arrival arrival) {
        if (arrival.position().offset() >= refusedFrom.getOrDefault(arrival.position().partition(), Long.MAX_VALUE))
            return false;
        offered.add(arrival.position().offset());
        return true;
    }

    @Override
    public void stopStarting(int partition, long epoch) {
        told.add("stop " + partition + " owning " + snapshot());
        saidToDrain |= loop.isDraining();
    }

    @Override
    public void moving(int partition, long epoch) {
        told.add("moving " + partition);
    }

    @Override
    public void ends(int partition, long epoch) {
        told.add("ends " + partition);
    }

    @Override
    public void closed(int partition, long epoch, boolean lost) {
        told.add((lost ? "lost " : "closed ") + partition + " owning " + snapshot());
    }

    @Override
    public CompletableFuture<Void> silent() {
        return silent;
    }

    @Override
    public CompletableFuture<Void> committed() {
        told.add("flush owning " + snapshot());
        return committed;
    }

    @Override
    public void begin(int partition, long epoch) {
        epochs.put(partition, epoch);
        told.add("take over " + partition);
    }

    @Override
    public void cancel(int partition, long epoch) {
        told.add("cancel " + partition);
    }
}
