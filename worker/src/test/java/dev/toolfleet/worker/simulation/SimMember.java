package dev.toolfleet.worker.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// A member of the simulated group, as its consumer sees it: what the classic protocol with a cooperative assignor does
/// inside poll. Its methods are those of [Consumer] that the poll loop calls.
final class SimMember {
    private static final int MAX_RECORDS = 8;
    private static final long REBALANCE_MILLIS = 5_000;

    private final SimCluster cluster;
    private final Random random;
    private final Fibers.Program program;
    private final Map<Integer, Long> positions = new TreeMap<>();
    private final Set<Integer> paused = new HashSet<>();
    /// Epoch under which each position was read; none after a seek.
    private final Map<Integer, ReadUnder> readUnder = new HashMap<>();
    private @Nullable ConsumerRebalanceListener listener;
    private @Nullable String topic;
    private @Nullable String member;
    private ConsumerGroupMetadata metadata = metadata(-1, "");
    private ConsumerGroupMetadata atLastPoll = metadata;
    private boolean rejoin;
    private boolean woken;

    SimMember(SimCluster cluster, Random random, Fibers.Program program) {
        this.cluster = cluster;
        this.random = random;
        this.program = program;
    }

    private record ReadUnder(String log, int leaderEpoch) {}

    @SuppressWarnings("unchecked")
    Consumer<byte[], byte[]> asConsumer() {
        return Fakes.of(Consumer.class, this);
    }

    // The constructor has no successor for tests.
    @SuppressWarnings({"deprecation", "removal"})
    private static ConsumerGroupMetadata metadata(int generation, String member) {
        return new ConsumerGroupMetadata(SimGroup.ID, generation, member, Optional.empty());
    }

    public void subscribe(Collection<String> topics, ConsumerRebalanceListener rebalances) {
        topic = topics.iterator().next();
        listener = rebalances;
    }

    public Set<TopicPartition> assignment() {
        return owned();
    }

    public ConsumerGroupMetadata groupMetadata() {
        return metadata;
    }

    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        cluster.fibers.pause();
        long stall = cluster.faults.areOver() ? 0 : cluster.hazards.stall();
        if (stall > 0)
            cluster.fibers.sleep(stall);
        membership();
        cluster.fibers.await(() -> woken || hasRecords() || calls(), timeout.toMillis());
        woken = false;
        atLastPoll = metadata;
        return fetch();
    }

    /// Wakes the poll loop, because there is an event for it. (The real one wakes up by itself every 50 ms.)
    void wake() {
        woken = true;
    }

    /// Returns [#groupMetadata] as it was when poll last returned.
    ConsumerGroupMetadata atLastPoll() {
        return atLastPoll;
    }

    /// The membership; another one after each loss.
    @Nullable
    String id() {
        return member;
    }

    /// True if it waits to be let into the next generation.
    boolean isWaiting() {
        return cluster.group.isWaiting(member);
    }

    /// True if the coordinator still counts it as the member that it was.
    boolean isStill(@Nullable String id) {
        return id != null && cluster.group.knows(id);
    }

    private boolean calls() {
        return rejoin || cluster.group.calls(member, metadata.generationId());
    }

    private void membership() {
        String known = member;
        if (known != null && !cluster.group.knows(known)) {
            member = null;
            Set<TopicPartition> gone = owned();
            positions.clear();
            listener().onPartitionsLost(gone);
        }
        if (member == null)
            member = cluster.group.admit(program);
        if (rejoin) {
            rejoin = false;
            cluster.group.rebalance();
        }
        cluster.group.polls(member);
        cluster.group.join(member, positions.keySet(), metadata.generationId());
        int settled = cluster.group.settled(metadata.generationId());
        if (settled > metadata.generationId())
            adopt(settled, new TreeSet<>(cluster.group.assignment(member)));
    }

    private void adopt(int generation, Set<Integer> assignment) {
        metadata = metadata(generation, requireNonNull(member));
        Set<Integer> revoked = new TreeSet<>(positions.keySet());
        revoked.removeAll(assignment);
        if (!revoked.isEmpty()) {
            listener().onPartitionsRevoked(partitions(revoked));
            positions.keySet().removeAll(revoked);
            paused.removeAll(revoked);
            rejoin = true;
        }
        Set<Integer> added = new TreeSet<>(assignment);
        added.removeAll(positions.keySet());
        paused.removeAll(added);
        added.forEach(partition -> positions.put(partition, 0L));
        listener().onPartitionsAssigned(partitions(added));
    }

    private boolean hasRecords() {
        for (Map.Entry<Integer, Long> entry : positions.entrySet()) {
            if (!paused.contains(entry.getKey()) && (log(entry.getKey()).stableEnd() > entry.getValue()
                    || valid(entry.getKey(), entry.getValue()) != entry.getValue()))
                return true;
        }
        return false;
    }

    private ConsumerRecords<byte[], byte[]> fetch() {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new java.util.LinkedHashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new java.util.LinkedHashMap<>();
        for (int partition : new ArrayList<>(positions.keySet())) {
            if (paused.contains(partition))
                continue;
            SimLog.Read read = log(partition).read(valid(partition, requireNonNull(positions.get(partition))),
                    1 + random.nextInt(MAX_RECORDS));
            positions.put(partition, read.next());
            TopicPartition name = partition(partition);
            if (!read.records().isEmpty()) {
                readUnder.put(partition, new ReadUnder(log(partition).id(),
                        read.records().getLast().leaderEpoch().orElse(0)));
                records.put(name, read.records());
                next.put(name, new OffsetAndMetadata(read.next(), read.records().getLast().leaderEpoch(), ""));
            }
        }
        return new ConsumerRecords<>(records, next);
    }

    /// Returns the client's next position: the place where the log begins to differ from the records that were read
    /// (KIP-320), or the beginning if there is no record at the position.
    private long valid(int partition, long position) {
        SimLog log = log(partition);
        ReadUnder before = readUnder.get(partition);
        long at = before == null || !before.log().equals(log.id())
                ? position
                : log.agreesUpTo(position, before.leaderEpoch());
        return at > log.end() || at < log.start() ? log.start() : at;
    }

    public void seek(TopicPartition partition, long offset) {
        if (!positions.containsKey(partition.partition()))
            throw new IllegalStateException(partition + " is not assigned");
        positions.put(partition.partition(), offset);
        readUnder.remove(partition.partition());
    }

    public void seek(TopicPartition partition, OffsetAndMetadata offset) {
        seek(partition, offset.offset());
        offset.leaderEpoch().ifPresent(epoch -> readUnder.put(partition.partition(),
                new ReadUnder(log(partition.partition()).id(), epoch)));
    }

    public void pause(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> paused.add(partition.partition()));
    }

    public void resume(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> paused.remove(partition.partition()));
    }

    /// Leaves the group.
    public void close(CloseOptions options) {
        String known = member;
        if (known == null)
            return;
        if (cluster.group.knows(known)) {
            // In reality, a client that leaves may have missed its last join's end; here it has seen it, so that it can
            // commit. Otherwise: the others join while its last results are committed, and the generation that they
            // name is over.
            cluster.fibers.await(() -> !cluster.group.isWaiting(known), REBALANCE_MILLIS);
            int settled = cluster.group.settled(metadata.generationId());
            if (settled > metadata.generationId())
                metadata = metadata(settled, known);
            listener().onPartitionsRevoked(owned());
            cluster.group.leave(known);
        } else {
            listener().onPartitionsLost(owned());
        }
        positions.clear();
    }

    private SimLog log(int partition) {
        return cluster.log(Topic.CALL, partition);
    }

    private Set<TopicPartition> owned() {
        return partitions(positions.keySet());
    }

    private Set<TopicPartition> partitions(Set<Integer> numbers) {
        Set<TopicPartition> partitions = new java.util.LinkedHashSet<>();
        numbers.forEach(number -> partitions.add(partition(number)));
        return partitions;
    }

    private TopicPartition partition(int number) {
        return new TopicPartition(requireNonNull(topic), number);
    }

    private ConsumerRebalanceListener listener() {
        return requireNonNull(listener);
    }
}
