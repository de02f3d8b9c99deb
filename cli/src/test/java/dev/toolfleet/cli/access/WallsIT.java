package dev.toolfleet.cli.access;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.client.access.Role;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// What no role may do, tried against a broker.
@ExtendWith(SecuredFleetExtension.class)
@ResourceLock("SecuredFleet")
class WallsIT {
    private static final Topics TOPICS = new Topics(SecuredFleet.PREFIX);
    private static final String WORKERS = SecuredFleet.PREFIX + "toolfleet";

    private final SecuredFleet fleet;

    WallsIT(SecuredFleet fleet) {
        this.fleet = fleet;
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            tool,     DECISION
            tool,     RESULT
            tool,     CALL
            runtime,  CALL_RESUMED
            runtime,  RESULT
            runtime,  DECISION
            runtime,  COMPLETION
            runtime,  CATALOG_STEP
            runtime,  RESOURCE
            runtime,  JOURNAL
            runtime,  AUDIT
            runtime,  OPERATOR
            approver, COMPLETION
            approver, CALL
            approver, CALL_RESUMED
            analyst,  ERROR
            analyst,  CONTROL
            operator, DECISION
            operator, CALL_RESUMED
            deployer, DECISION
            deployer, CALL
            catalog,  RESULT
            catalog,  RESOURCE
            worker,   OPERATOR
            worker,   COMPLETION
            worker,   CALL
            worker,   CATALOG_STEP
            nobody,   CALL""")
    void whoHasNoPartInATopicCannotWriteIt(String user, Topic topic) {
        Map<String, Object> properties = fleet.properties(user);
        // The right to write anything at all would be asked for first.
        properties.put("enable.idempotence", false);
        properties.put("max.block.ms", 60_000);
        try (var producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>(TOPICS.name(topic), new byte[]{1}))
                    .get(60, TimeUnit.SECONDS))
                    .rootCause().isInstanceOf(TopicAuthorizationException.class)
                    .hasMessageContaining(TOPICS.name(topic));
        }
        // What the other tests rely on when they say that nothing was refused.
        assertThat(fleet.refusals(user, 0)).anyMatch(line -> line.contains(TOPICS.name(topic)));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            runtime,  CALL
            runtime,  AUDIT
            runtime,  COMPLETION
            tool,     PENDING
            tool,     COMPLETION
            approver, CALL
            analyst,  COMPLETION
            analyst,  CALL_RESUMED
            analyst,  AGENT_EVENT
            operator, COMPLETION
            deployer, RESULT
            catalog,  CALL
            nobody,   RESULT""")
    void whoHasNoPartInATopicCannotReadIt(String user, Topic topic) {
        try (var consumer = consumer(user, Map.of())) {
            TopicPartition partition = new TopicPartition(TOPICS.name(topic), 0);
            consumer.assign(List.of(partition));
            consumer.seek(partition, 0);
            assertThatThrownBy(() -> awaitRefusal(consumer)).isInstanceOf(TopicAuthorizationException.class);
        }
    }

    /// As the brokers see it, which is what the documentation says of each role.
    @ParameterizedTest
    @EnumSource(Role.class)
    void aRoleMayDoOnTopicsWhatItNamesAndNothingElse(Role role) throws Exception {
        Map<Topic, Set<AclOperation>> expected = new EnumMap<>(Topic.class);
        for (Topic topic : Topic.values()) {
            Set<AclOperation> may = EnumSet.noneOf(AclOperation.class);
            if (role.reads().contains(topic))
                may.add(AclOperation.READ);
            if (role.writes().contains(topic))
                may.add(AclOperation.WRITE);
            if (role == Role.DEPLOYER)
                may.add(AclOperation.CREATE);
            if (!may.isEmpty() || role.sees().contains(topic))
                may.add(AclOperation.DESCRIBE);
            if (role.checksSettings())
                may.add(AclOperation.DESCRIBE_CONFIGS);
            expected.put(topic, may);
        }

        assertThat(allowed(role.text())).isEqualTo(expected);
    }

    @Test
    void nobodyElseJoinsTheGroupsOfTheFleetOrTakesItsTransactions() {
        for (String user : List.of("runtime", "analyst", "operator")) {
            try (var consumer = consumer(user, Map.of("group.id", WORKERS))) {
                consumer.subscribe(List.of(TOPICS.name(Topic.RESULT)));
                assertThatThrownBy(() -> consumer.poll(Duration.ofSeconds(60))).as(user)
                        .isInstanceOf(GroupAuthorizationException.class);
            }
            for (String id : List.of(WORKERS + ".w1.0", WORKERS + "-completions-1-1", WORKERS + ".catalog-sweep")) {
                Map<String, Object> properties = fleet.properties(user);
                properties.put("transactional.id", id);
                try (var producer = new KafkaProducer<>(properties, new ByteArraySerializer(),
                        new ByteArraySerializer())) {
                    assertThatThrownBy(producer::initTransactions).as(user + " as " + id)
                            .isInstanceOf(TransactionalIdAuthorizationException.class);
                }
            }
        }
    }

    private static void awaitRefusal(KafkaConsumer<byte[], byte[]> consumer) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() - giveUp < 0)
            assertThat(consumer.poll(Duration.ofMillis(200))).isEmpty();
    }

    private KafkaConsumer<byte[], byte[]> consumer(String user, Map<String, Object> more) {
        Map<String, Object> properties = new HashMap<>(fleet.properties(user));
        properties.put("enable.auto.commit", false);
        properties.put("allow.auto.create.topics", false);
        properties.putAll(more);
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private Map<Topic, Set<AclOperation>> allowed(String user) throws InterruptedException {
        Map<Topic, Set<AclOperation>> allowed = new EnumMap<>(Topic.class);
        try (Admin admin = Admin.create(fleet.properties(user))) {
            List<String> names = new ArrayList<>();
            for (Topic topic : Topic.values())
                names.add(TOPICS.name(topic));
            Map<String, KafkaFuture<TopicDescription>> answers = admin.describeTopics(names,
                    new DescribeTopicsOptions().includeAuthorizedOperations(true)).topicNameValues();
            for (Topic topic : Topic.values()) {
                try {
                    allowed.put(topic, requireNonNull(answers.get(TOPICS.name(topic))).get().authorizedOperations());
                } catch (ExecutionException e) {
                    assertThat(e).hasCauseInstanceOf(TopicAuthorizationException.class);
                    allowed.put(topic, Set.of());
                }
            }
        }
        return allowed;
    }
}
