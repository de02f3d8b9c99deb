package dev.toolfleet.cli.access;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.catalog.app.CatalogConfig;
import dev.toolfleet.catalog.sweep.ContentSweep;
import dev.toolfleet.cli.fleet.CatalogSettings;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.poll.DeadWorkers;
import dev.toolfleet.worker.state.GroupMembers;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// What workers and catalog services do now and then, done at once with their rights.
///
/// @param fleet whose
record Housekeepers(SecuredFleet fleet) {
    private static final Topics TOPICS = new Topics(SecuredFleet.PREFIX);
    private static final String GROUP = SecuredFleet.PREFIX + "toolfleet";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Ends the transaction that a worker left open.
    void fenceADeadWorker() {
        Map<String, Object> properties = fleet.properties("worker");
        Map<String, Object> dead = new HashMap<>(properties);
        dead.put("transactional.id", DeadWorkers.transactionalId(GROUP, "host.that.died", 0));
        try (Admin admin = Admin.create(properties);
                var producer = new KafkaProducer<>(dead, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            var _ = producer.send(new ProducerRecord<>(TOPICS.name(Topic.AUDIT), bytes("k"), bytes("{}")));
            producer.flush();

            new DeadWorkers(admin, new GroupMembers(admin, GROUP, Duration.ZERO, PATIENCE), GROUP, "w1", PATIENCE)
                    .fence();

            assertThatThrownBy(producer::commitTransaction).as("somebody has ended it")
                    .isInstanceOf(KafkaException.class);
        }
    }

    /// Removes a content that no step names.
    void removeAnOldContent() {
        Map<String, Object> properties = fleet.properties("catalog");
        try (var producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            var _ = producer.send(new ProducerRecord<>(TOPICS.name(Topic.CATALOG_CONTENT), 0, bytes("sha256:0f"),
                    bytes("[]")));
            producer.flush();
        }
        CatalogConfig config = CatalogSettings.of(fleet.config("catalog"));
        Clock muchLater = Clock.fixed(Instant.now().plus(Duration.ofDays(30)), ZoneOffset.UTC);

        assertThat(new ContentSweep(TOPICS, config.kafka(), config.applicationId() + "-sweep", config.retention(),
                muchLater).run()).contains("sha256:0f");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
