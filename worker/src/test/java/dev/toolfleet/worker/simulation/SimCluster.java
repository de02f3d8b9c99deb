package dev.toolfleet.worker.simulation;

import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.TopicPartition;

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
    private final Map<String, Map<Integer, SimLog>> logs = new TreeMap<>();

    SimCluster(Fibers fibers, Random random, Faults faults, int partitions, Trace trace) {
        this.fibers = fibers;
        this.random = random;
        this.faults = faults;
        this.partitions = partitions;
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
        return log(new TopicPartition(topic.baseName(), partition));
    }

    SimLog log(TopicPartition partition) {
        return logs.computeIfAbsent(partition.topic(), _ -> new TreeMap<>()).computeIfAbsent(partition.partition(),
                _ -> new SimLog(partition.topic(), partition.partition()));
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
