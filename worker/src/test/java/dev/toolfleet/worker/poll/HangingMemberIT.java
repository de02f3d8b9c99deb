package dev.toolfleet.worker.poll;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.config.KafkaConfig;
import dev.toolfleet.config.Settings;
import dev.toolfleet.config.TopicsConfig;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.worker.app.WorkerConfig;
import dev.toolfleet.worker.assignment.HeartbeatLease;
import dev.toolfleet.worker.assignment.Ownership;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A member whose poll thread stands still while its heartbeats go on.
@EmbeddedKafkaTest
@Isolated("a member of a group must not be late for want of a processor")
@Tag("slow")
class HangingMemberIT {
    private static final Duration SESSION = Duration.ofSeconds(6);

    private KafkaClients clients(KafkaFixture kafka, String group, String name) {
        WorkerConfig config = WorkerConfig.of(KafkaConfig.at(kafka.bootstrapServers()),
                new TopicsConfig("", 1, TopicsConfig.BROKER_DEFAULT),
                Settings.of("worker", Map.of("group", Map.of("id", group, "sessionTimeout", SESSION.toString()))), name,
                Path::of);
        return new KafkaClients(config.kafka(), config.topics(), config.identity().member());
    }

    @Test
    void holdsUpARebalanceForLessTimeThanTheOthersNeedToFenceThemselves(KafkaFixture kafka) {
        String topic = kafka.create("calls", 6);
        String group = kafka.newGroup();
        try (Member hanging = new Member(clients(kafka, group, "hanging"), topic);
                Member other = new Member(clients(kafka, group, "other"), topic)) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> hanging.assigned.size() == 3 && other.assigned.size() == 3);
            hanging.hang();
            try (Member newcomer = new Member(clients(kafka, group, "newcomer"), topic)) {
                await().atMost(Duration.ofMinutes(1)).until(() -> !newcomer.assigned.isEmpty());
                assertThat(other.ownership.isFenced()).isFalse();
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> newcomer.assigned.size() == 3 && other.assigned.size() == 3);
                assertThat(other.ownership.isFenced()).isFalse();
            }
        }
    }

    /// A group member with the lease of a worker.
    private static final class Member implements AutoCloseable {
        final Ownership ownership;
        volatile Set<TopicPartition> assigned = Set.of();
        private final Consumer<byte[], byte[]> consumer;
        private final HeartbeatLoop heartbeats;
        private final Thread thread;
        private final List<RuntimeException> failures = new ArrayList<>();
        private volatile boolean polls = true;

        Member(KafkaClients clients, String topic) {
            JoinTrackingAssignor.JoinState joins = new JoinTrackingAssignor.JoinState();
            consumer = clients.groupMember(joins);
            HeartbeatLease lease = clients.lease();
            ConsumerGroupMetadata nobody = consumer.groupMetadata();
            ownership = new Ownership(nobody, lease);
            heartbeats = new HeartbeatLoop(consumer, lease, ownership, joins::isJoining);
            consumer.subscribe(List.of(topic));
            thread = Thread.ofPlatform().start(this::poll);
            heartbeats.start();
        }

        private void poll() {
            try {
                while (polls) {
                    consumer.poll(Duration.ofMillis(50));
                    assigned = consumer.assignment();
                }
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }

        void hang() {
            polls = false;
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted while a member's thread was to end", e);
            }
        }

        @Override
        public void close() {
            hang();
            heartbeats.close();
            consumer.close();
            assertThat(failures).isEmpty();
        }
    }
}
