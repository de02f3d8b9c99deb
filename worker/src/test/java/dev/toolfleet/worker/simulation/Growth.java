package dev.toolfleet.worker.simulation;

import java.util.List;
import java.util.function.BooleanSupplier;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.TopicPartition;

/// A partition that is added to the topics under running workers. Callers write there at once, and some of their instances
/// go to another of the old partitions. Then the operator goes the way of `docs/operations.md`: agents stop, every call
/// ends, the fleet stops, the new count is accepted, and the fleet starts again.
///
/// **Checked.** Until then nothing happens in the added partition, and the others go on. Afterwards every call that was
/// written there has its result. Order holds within a partition, as always, and between an old partition and the added one
/// where every call had ended.
final class Growth {
    private static final long DRAIN_MILLIS = 240_000;
    private static final long STOP_MILLIS = 100_000;

    private final World world;
    private final int added;
    private boolean begun;
    private boolean accepted;
    private boolean drained;

    Growth(World world) {
        this.world = world;
        this.added = world.cluster.partitions;
    }

    /// The topics have more partitions than the fleet counts.
    boolean isOpen() {
        return begun && !accepted;
    }

    void begin() {
        begun = true;
        world.history.add("world", "partition " + added + " is added");
        world.cluster.grow();
    }

    /// The partition of an instance, by its present number: another than before for two of three instances.
    ///
    /// @param before the partition that it had
    int place(String instance, int before) {
        if (!begun)
            return before;
        return switch (Math.floorMod(instance.hashCode(), 3)) {
            case 0 -> before;
            case 1 -> added;
            default -> (before + 1) % added;
        };
    }

    /// True if calls of one instance in these two partitions keep their order.
    boolean keepsOrder(SimCall one, SimCall other) {
        return one.partition() == other.partition()
                || (drained && Math.max(one.partition(), other.partition()) == added);
    }

    /// @param agentsStopped true when no more calls are written
    void accept(BooleanSupplier agentsStopped) {
        drained = world.fibers.await(() -> agentsStopped.getAsBoolean()
                && (world.answers.areComplete(world.history) || world.living().isEmpty()), DRAIN_MILLIS)
                && world.answers.areComplete(world.history);
        if (!drained && world.calm)
            world.history.broken("growth: calls of the old partitions do not end");
        stopWorkers();
        nothingHappened();
        world.cluster.partitions = world.cluster.most;
        world.history.held.clear();
        accepted = true;
        world.history.add("world", "partition " + added + " is accepted" + (drained ? "" : " although calls wait"));
    }

    private void stopWorkers() {
        for (SimWorker worker : alive()) {
            if (worker.program.isFrozen()) {
                worker.crash();
            } else if (!worker.isStopping()) {
                worker.stop();
            }
        }
        if (!world.fibers.await(() -> alive().isEmpty(), STOP_MILLIS)) {
            drained = false;
            alive().forEach(SimWorker::crash);
        }
        world.fibers.await(world.cluster.group::isEmpty, STOP_MILLIS);
        world.cluster.fenceTheDead();
    }

    private List<SimWorker> alive() {
        return world.workers().stream().filter(worker -> !worker.program.isDead()).toList();
    }

    private void nothingHappened() {
        if (world.cluster.log(Topic.RESULT, added).end() > 0 || world.cluster.log(Topic.JOURNAL, added).end() > 0
                || world.cluster.group.committed(new TopicPartition(Topic.CALL.baseName(), added)) != null
                || world.history.starts.stream().anyMatch(start -> start.call.partition() == added))
            world.history.broken("growth: partition " + added + " was read before it was accepted");
    }
}
