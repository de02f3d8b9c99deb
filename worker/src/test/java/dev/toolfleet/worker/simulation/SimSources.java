package dev.toolfleet.worker.simulation;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.commit.CommittedPositions;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.poll.AdaptiveTimeout;
import dev.toolfleet.worker.poll.GroupOffsets;
import dev.toolfleet.worker.poll.TakeOver;
import dev.toolfleet.worker.state.SpareConsumers;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Sources of a take-over, from the simulated cluster. After a wait without success, it ends the open transactions of
/// dead workers.
final class SimSources implements TakeOver.Sources {
    private static final Duration PATIENCE = Duration.ofMillis(300);

    private static final WireCodec<CallIntent> INTENTS = WireCodec.of(CallIntent.class);

    private final SimCluster cluster;
    private final Plant plant;
    private final GroupOffsets offsets;

    SimSources(SimCluster cluster, Plant plant) {
        this.plant = plant;
        this.cluster = cluster;
        this.offsets = offsets(cluster);
    }

    /// Returns the group's offsets, read by consumers of their own.
    static GroupOffsets offsets(SimCluster cluster) {
        return new GroupOffsets(new SpareConsumers(() -> new SimOffsetReader(cluster).asConsumer()),
                Topic.CALL.baseName(), Topic.CALL_RESUMED.baseName(),
                AdaptiveTimeout.from(PATIENCE));
    }

    @Override
    public TakeOver.Start start(int partition) {
        try {
            CommittedPositions all = offsets.committed(Set.of(partition));
            @Nullable
            DoneOffsets found = all.calls().get(partition);
            @Nullable
            DoneOffsets resumed = all.resumed().get(partition);
            if (resumed == null && plant == Plant.LATEST_OUTCOME)
                resumed = DoneOffsets.from(cluster.log(Topic.CALL_RESUMED, partition).end());
            return new TakeOver.Start(found, resumed);
        } catch (TimeoutException e) {
            cluster.fenceTheDead();
            throw e;
        }
    }

    @Override
    public TakeOver.LogEnds ends(int partition) {
        cluster.fibers.pause();
        return new TakeOver.LogEnds(logs(cluster, partition), cluster.log(Topic.CALL, partition).start(),
                cluster.log(Topic.CALL, partition).end(),
                cluster.log(Topic.JOURNAL, partition).end(),
                cluster.log(Topic.RESULT, partition).end(), 0, cluster.log(Topic.CALL_RESUMED, partition).end());
    }

    static Incarnation logs(SimCluster cluster, int partition) {
        return new Incarnation(cluster.log(Topic.CALL, partition).id(), cluster.log(Topic.CALL_RESUMED, partition).id(),
                "cluster");
    }

    @Override
    public long beginning(Topic topic, int partition) {
        return cluster.log(topic, partition).start();
    }

    @Override
    public long agreesUpTo(Topic topic, int partition, long offset, int epoch) {
        cluster.fibers.pause();
        return cluster.log(topic, partition).agreesUpTo(offset, epoch);
    }

    @Override
    public OptionalLong appendedAt(int partition, long offset) {
        return cluster.log(Topic.CALL, partition).read(offset, 1).records().stream()
                .mapToLong(ConsumerRecord::timestamp).findFirst();
    }

    @Override
    public long newest(Topic topic, int partition) {
        return cluster.log(topic, partition).newest();
    }

    @Override
    public long firstSince(Topic topic, int partition, long time) {
        return cluster.log(topic, partition).firstSince(time);
    }

    @Override
    public void read(Topic topic, int partition, long from, long end, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        cluster.checkLeader(topic, partition);
        SimLog log = cluster.log(topic, partition);
        if (!cluster.fibers.await(() -> log.stableEnd() >= end, PATIENCE.toMillis())) {
            cluster.fenceTheDead();
            throw new TimeoutException("the end is open");
        }
        log.read(from, Integer.MAX_VALUE).records().stream().filter(record -> record.offset() < end)
                .filter(record -> plant != Plant.FORGOTTEN_HANDLES || !isHandle(topic, record))
                .filter(record -> plant != Plant.FORGOTTEN_LABELS || !isLabel(topic, record))
                .filter(record -> plant != Plant.FORGOTTEN_BUDGETS || !isSpent(topic, record))
                .map(record -> plant == Plant.FORGOTTEN_INTENTS ? withoutSpending(topic, record) : record)
                .forEach(each);
    }

    private static boolean isLabel(Topic topic, ConsumerRecord<byte[], byte[]> record) {
        return topic == Topic.JOURNAL && record.value() != null
                && JournalEntry.read(record.value()) instanceof InstanceLabel;
    }

    private static boolean isSpent(Topic topic, ConsumerRecord<byte[], byte[]> record) {
        return topic == Topic.JOURNAL && record.value() != null
                && JournalEntry.read(record.value()) instanceof SpentBudget;
    }

    private static ConsumerRecord<byte[], byte[]> withoutSpending(Topic topic, ConsumerRecord<byte[], byte[]> record) {
        if (topic != Topic.JOURNAL || record.value() == null
                || !(JournalEntry.read(record.value()) instanceof CallIntent intent) || intent.spent().isEmpty())
            return record;
        byte[] bare = INTENTS.write(intent.spending(List.of()));
        return new ConsumerRecord<>(record.topic(), record.partition(), record.offset(), record.timestamp(),
                record.timestampType(), record.key().length, bare.length, record.key(), bare, record.headers(),
                record.leaderEpoch());
    }

    private static boolean isHandle(Topic topic, ConsumerRecord<byte[], byte[]> record) {
        return topic == Topic.JOURNAL && record.value() != null
                && JournalEntry.read(record.value()) instanceof OpenHandle;
    }

    @Override
    public boolean hasLeft(String memberId) {
        cluster.fibers.pause();
        return !cluster.group.knows(memberId);
    }

    @Override
    public void awaitSteps(int partition, long end) {}
}
