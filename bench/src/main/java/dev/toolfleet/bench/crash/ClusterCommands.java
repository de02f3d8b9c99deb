package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.random.RandomGenerator;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.jspecify.annotations.Nullable;

/// Commands of an operator who harms the fleet: to its topic of calls, its group, and its clients' quota.
final class ClusterCommands implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final String QUOTA = "producer_byte_rate";

    private final Admin admin;
    private final String group;

    ClusterCommands(String bootstrapServers, String group) {
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
        this.group = group;
    }

    /// Deletes the topic; returns when it is gone.
    void delete(String topic) throws InterruptedException {
        get("the topic " + topic + " could not be deleted", admin.deleteTopics(List.of(topic)).all());
        await("the topic " + topic + " to be gone", () -> {
            try {
                admin.describeTopics(List.of(topic)).allTopicNames().get();
                return false;
            } catch (ExecutionException e) {
                return e.getCause() instanceof UnknownTopicOrPartitionException;
            }
        });
    }

    /// Sets the group's offsets of the topic back: one partition in two to its beginning, the others to anywhere
    /// before. The group must have no members.
    void rewind(String topic, RandomGenerator random) throws InterruptedException {
        awaitEmptyGroup();
        Map<TopicPartition, OffsetAndMetadata> back = new HashMap<>();
        get("the offsets of group " + group + " could not be read",
                admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata()).forEach((partition, offset) -> {
                    if (partition.topic().equals(topic) && offset != null)
                        back.put(partition, new OffsetAndMetadata(
                                random.nextBoolean() ? 0 : random.nextLong(offset.offset() + 1)));
                });
        get("the offsets of group " + group + " could not be set back",
                admin.alterConsumerGroupOffsets(group, back).all());
    }

    /// Deletes the group. It must have no members.
    void deleteGroup() throws InterruptedException {
        awaitEmptyGroup();
        get("the group " + group + " could not be deleted", admin.deleteConsumerGroups(List.of(group)).all());
    }

    /// A worker that was killed before is a member until its session ends.
    private void awaitEmptyGroup() throws InterruptedException {
        await("group " + group + " to have no members",
                () -> admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
                        .allMatch(found -> found.groupState() == GroupState.EMPTY));
    }

    /// Lets each client write that many bytes a second to a broker.
    void limit(double bytes) throws InterruptedException {
        alter(new ClientQuotaAlteration.Op(QUOTA, bytes));
    }

    /// Lifts the limit.
    void unlimit() throws InterruptedException {
        alter(new ClientQuotaAlteration.Op(QUOTA, null));
    }

    private void alter(ClientQuotaAlteration.Op operation) throws InterruptedException {
        Map<String, @Nullable String> anyClient = new HashMap<>();
        anyClient.put(ClientQuotaEntity.CLIENT_ID, null);
        get("the quota could not be altered", admin.alterClientQuotas(List.of(
                new ClientQuotaAlteration(new ClientQuotaEntity(anyClient), List.of(operation)))).all());
    }

    private interface Condition {
        boolean holds() throws InterruptedException, ExecutionException;
    }

    private static void await(String meaning, Condition condition) throws InterruptedException {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (!condition.holds()) {
                if (System.nanoTime() > giveUp)
                    throw new IllegalStateException("waited " + PATIENCE.toSeconds() + " s in vain for " + meaning);
                Thread.sleep(PAUSE);
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("waited in vain for " + meaning + ": " + e.getCause(), e);
        }
    }

    private static <T> T get(String problem, KafkaFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(problem + ": " + e.getCause(), e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
