package dev.toolfleet.worker.simulation;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

import static java.util.Objects.requireNonNull;

/// An in-memory Kafka as far as the engine sees it: logs, transactions, one group.
final class SimCluster {
    private static final long CHECK_MILLIS = 200;
    private static final int METADATA_MILLIS = 3_000;

    final Fibers fibers;
    final Random random;
    final Faults faults;
    final Hazards hazards;
    /// Of each topic, as the fleet counts them.
    int partitions;
    /// Of each topic in the end: one more where a partition is added.
    final int most;
    final SimAssignor assignor;
    final SimGroup group;
    final SimTransactions transactions;
    private final Fibers.Program program;
    private final Map<TopicPartition, Long> leaderless = new HashMap<>();
    private final Map<String, SimLog[]> logs = new HashMap<>();
    private final Map<Topic, SimLog[]> byTopic = new EnumMap<>(Topic.class);

    SimCluster(Fibers fibers, Random random, Faults faults, Hazards hazards, int partitions, Trace trace) {
        this.hazards = hazards;
        this.fibers = fibers;
        this.random = random;
        this.faults = faults;
        this.partitions = partitions;
        this.most = hazards.grows ? partitions + 1 : partitions;
        for (Topic topic : Topic.values()) {
            SimLog[] all = new SimLog[most];
            for (int partition = 0; partition < most; partition++)
                all[partition] = new SimLog(topic.baseName(), partition, hazards.brokerClock());
            logs.put(topic.baseName(), all);
            byTopic.put(topic, all);
        }
        this.assignor = new SimAssignor(random, partitions);
        this.group = new SimGroup(fibers, assignor);
        program = new Fibers.Program();
        transactions = new SimTransactions(fibers, random, faults, group, program, this::isLeaderless, trace);
        fibers.spawn(program, () -> {
            while (true) {
                fibers.sleep(CHECK_MILLIS);
                group.expire();
                transactions.expire();
            }
        });
    }

    SimLog log(Topic topic, int partition) {
        return requireNonNull(byTopic.get(topic))[partition];
    }

    SimLog log(TopicPartition partition) {
        return requireNonNull(logs.get(partition.topic()))[partition.partition()];
    }

    /// Whether these can be written; told a little later.
    CompletableFuture<Boolean> reachable(Set<TopicPartition> targets) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        fibers.spawn(program, () -> {
            fibers.sleep(CHECK_MILLIS);
            answer.complete(targets.stream().noneMatch(this::isLeaderless));
        });
        return answer;
    }

    /// Adds a partition, of which the group learns a little later.
    void grow() {
        fibers.spawn(program, () -> {
            fibers.sleep(random.nextInt(METADATA_MILLIS));
            assignor.grow(most);
            group.rebalance();
        });
    }

    /// Nobody leads a partition for a while.
    void loseLeader(TopicPartition partition, long millis) {
        leaderless.put(partition, fibers.now() + millis);
    }

    /// @param target of partition -1 for any of its topic
    boolean isLeaderless(TopicPartition target) {
        return leaderless.entrySet().stream().anyMatch(entry -> entry.getValue() > fibers.now()
                && entry.getKey().topic().equals(target.topic())
                && (target.partition() < 0 || entry.getKey().equals(target)));
    }

    /// Throws when the partition cannot be read.
    void checkLeader(Topic topic, int partition) {
        if (!leaderless.isEmpty() && isLeaderless(new TopicPartition(topic.baseName(), partition)))
            throw new TimeoutException("nobody leads " + topic.baseName() + "-" + partition);
    }

    /// Every partition has a leader from now on.
    void electLeaders() {
        leaderless.clear();
    }

    void fenceTheDead() {
        transactions.fenceTheDead();
    }
}
