package dev.toolfleet.worker.simulation;

import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.TopicPartition;

/// Faults of the topics and offsets of a world, once while it runs; afterwards the callers go on.
final class TopicChaos implements Runnable {
    private static final List<Topic> WRITTEN = List.of(Topic.RESULT, Topic.JOURNAL, Topic.PENDING, Topic.DEAD_LETTER);
    private static final long EMPTY_GROUP_MILLIS = 30_000;

    private final World world;
    private final SimCluster cluster;
    private final Random random;
    private final int instances;
    private final BooleanSupplier callerDone;
    private boolean done;

    /// @param callerDone true when the other caller has written its last call
    TopicChaos(World world, int instances, BooleanSupplier callerDone) {
        this.callerDone = callerDone;
        this.world = world;
        this.cluster = world.cluster;
        this.random = world.random;
        this.instances = instances;
    }

    boolean isDone() {
        return done;
    }

    @Override
    public void run() {
        for (int i = 0; world.hazards.leaderless && i < 3; i++) {
            world.fibers.sleep(random.nextInt(4_000));
            cluster.loseLeader(new TopicPartition(WRITTEN.get(random.nextInt(WRITTEN.size())).baseName(),
                    random.nextInt(cluster.partitions)), random.nextInt(15_000));
        }
        TopicFault fault = world.hazards.topicFault;
        if (fault != TopicFault.NONE) {
            world.fibers.sleep(random.nextInt(6_000));
            world.history.add("world", "topic fault " + fault);
            if (!fault.losesCalls())
                endWorkers();
            befall(fault);
            SimCaller more = new SimCaller(world, instances, 5 + random.nextInt(15), "later");
            more.run();
            if (!fault.losesCalls())
                world.startWorker();
        }
        if (world.hazards.grows) {
            world.fibers.sleep(random.nextInt(6_000));
            world.growth.begin();
            new SimCaller(world, instances, 5 + random.nextInt(15), "later").run();
            world.growth.accept(callerDone);
            world.startWorker();
        }
        done = true;
    }

    private void befall(TopicFault fault) {
        switch (fault) {
            case NONE -> {
            }
            case SET_BACK -> cluster.group.setBack(Topic.CALL.baseName(),
                    partition -> random.nextInt(3) == 0
                            ? 0
                            : random.nextInt((int) cluster.log(partition).end() + 1) / 2);
            case OFFSETS_LOST -> loseOffsets();
            case RECREATED -> {
                cluster.group.forget(Topic.CALL.baseName());
                for (int partition = 0; partition < cluster.partitions; partition++) {
                    world.history.lost(partition, 0, Long.MAX_VALUE, _ -> true);
                    cluster.log(Topic.CALL, partition).recreate();
                }
            }
            case TRUNCATED -> {
                int partition = random.nextInt(cluster.partitions);
                SimLog log = cluster.log(Topic.CALL, partition);
                long to = log.end() - Math.min(log.end(), 1 + random.nextInt(6));
                world.history.lost(partition, to, Long.MAX_VALUE, _ -> true);
                log.truncate(to);
            }
            case CALLS_EXPIRED -> {
                int partition = random.nextInt(cluster.partitions);
                SimLog log = cluster.log(Topic.CALL, partition);
                long to = random.nextInt((int) log.end() + 1);
                world.history.lost(partition, 0, to, call -> !world.answers.isEnded(call.mark()));
                log.deleteBefore(to);
            }
            case RESULTS_EXPIRED -> {
                world.history.forgotten.begin();
                for (int partition = 0; partition < cluster.partitions; partition++) {
                    SimLog log = cluster.log(Topic.RESULT, partition);
                    log.deleteBefore(log.stableEnd());
                }
                loseOffsets();
            }
        }
    }

    private void loseOffsets() {
        cluster.group.forget(Topic.CALL.baseName());
        if (random.nextBoolean())
            cluster.group.forget(Topic.CALL_RESUMED.baseName());
    }

    /// Offsets are only set, and only expire, while the group has no member.
    private void endWorkers() {
        for (int tries = 0; !cluster.group.isEmpty() && tries < 10; tries++) {
            world.workers().stream().filter(worker -> !worker.program.isDead()).forEach(SimWorker::crash);
            world.fibers.await(cluster.group::isEmpty, EMPTY_GROUP_MILLIS);
        }
        cluster.fenceTheDead();
    }
}
