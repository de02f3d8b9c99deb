package dev.toolfleet.embedded;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// A broker with users.
class SecuredBrokerIT {

    private static final BrokerUsers USERS = new BrokerUsers("admin", Map.of("admin", "a-secret", "ann", "b-secret"));

    @TempDir
    private Path folder = Path.of("");

    @Test
    void usersMayDoWhatTheSuperUserAllowedThemAlsoAfterARestart() throws Exception {
        EmbeddedKafkaConfig config = EmbeddedKafkaConfig.temporary().withData(folder.resolve("data")).withUsers(USERS);
        try (EmbeddedKafka broker = EmbeddedKafka.start(config);
                Admin admin = client(broker, USERS, "admin");
                Admin ann = client(broker, USERS, "ann")) {
            admin.createTopics(List.of(new NewTopic("t", 1, (short) 1))).all().get(60, TimeUnit.SECONDS);
            assertThatThrownBy(() -> partitions(ann)).hasCauseInstanceOf(TopicAuthorizationException.class);
            assertThatThrownBy(() -> ann.createAcls(List.of(reading("ann"))).all().get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ClusterAuthorizationException.class);

            admin.createAcls(List.of(reading("ann"))).all().get(60, TimeUnit.SECONDS);

            awaitPartitions(ann);
        }
        try (EmbeddedKafka broker = EmbeddedKafka.start(config); Admin ann = client(broker, USERS, "ann")) {
            assertThat(partitions(ann)).isEqualTo(1);
        }
    }

    @Test
    void whoHasAnotherPasswordIsNotLetIn() {
        BrokerUsers guessed = new BrokerUsers("admin", Map.of("admin", "a-guess"));
        try (EmbeddedKafka broker = EmbeddedKafka.start(EmbeddedKafkaConfig.temporary().withUsers(USERS));
                Admin stranger = client(broker, guessed, "admin")) {
            assertThatThrownBy(() -> partitions(stranger)).hasCauseInstanceOf(SaslAuthenticationException.class);
        }
    }

    private static AclBinding reading(String user) {
        return new AclBinding(new ResourcePattern(ResourceType.TOPIC, "t", PatternType.LITERAL),
                new AccessControlEntry("User:" + user, "*", AclOperation.READ, AclPermissionType.ALLOW));
    }

    private static int partitions(Admin client) throws Exception {
        return client.describeTopics(List.of("t")).allTopicNames().get(60, TimeUnit.SECONDS).values().iterator().next()
                .partitions().size();
    }

    /// The controller acknowledges a rule before the broker goes by it.
    private static void awaitPartitions(Admin client) throws Exception {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                assertThat(partitions(client)).isEqualTo(1);
                return;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof TopicAuthorizationException) || System.nanoTime() > giveUp)
                    throw e;
                Thread.sleep(20);
            }
        }
    }

    private static Admin client(EmbeddedKafka broker, BrokerUsers users, String name) {
        Map<String, Object> properties = new HashMap<>(users.clientProperties(name));
        properties.put("bootstrap.servers", broker.bootstrapServers());
        return Admin.create(properties);
    }
}
