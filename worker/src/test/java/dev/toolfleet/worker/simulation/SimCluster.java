package dev.toolfleet.worker.simulation;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.TopicPartition;

import static java.util.Objects.requireNonNull;

/// An in-memory Kafka as far as the engine sees it: logs, transactions, one group.
final class SimCluster {
    private static final long CHECK_MILLIS = 200;

    final Fibers fibers;
    final Random random;
    final Faults faults;
    final int partitions;
    final SimAssignor assignor;
    final SimGroup group;
    final SimTransactions transactions;
    private final Fibers.Program program;
    private final Map<String, SimLog[]> logs = new HashMap<>();
    private final Map<Topic, SimLog[]> byTopic = new EnumMap<>(Topic.class);

    SimCluster(Fibers fibers, Random random, Faults faults, int partitions, Trace trace) {
        this.fibers = fibers;
        this.random = random;
        this.faults = faults;
        this.partitions = partitions;
        for (Topic topic : Topic.values()) {
            SimLog[] all = new SimLog[partitions];
            for (int partition = 0; partition < partitions; partition++)
                all[partition] = new SimLog(topic.baseName(), partition);
            logs.put(topic.baseName(), all);
            byTopic.put(topic, all);
        }
        this.assignor = new SimAssignor(random, partitions);
        this.group = new SimGroup(fibers, assignor);
        program = new Fibers.Program();
        transactions = new SimTransactions(fibers, random, faults, group, program, trace);
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
            answer.complete(true);
        });
        return answer;
    }

    void fenceTheDead() {
        transactions.fenceTheDead();
    }
}
