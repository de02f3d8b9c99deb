package dev.toolfleet.client.topics;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks the settings of existing topics and the rights to them, as a process needs them.
final class TopicSelfCheck {
    private static final Logger LOG = LoggerFactory.getLogger(TopicSelfCheck.class);

    private final Topics names;
    private final String servers;

    /// @param servers for commands
    TopicSelfCheck(Topics names, String servers) {
        this.names = names;
        this.servers = servers;
    }

    /// Returns the problems, rights first: without rights the rest cannot be checked.
    List<String> problems(Admin admin, TopicRole role) throws InterruptedException, ExecutionException {
        List<String> problems = new ArrayList<>();
        Map<String, TopicDescription> described = admin.describeTopics(
                EnumSet.allOf(Topic.class).stream().map(names::name).toList(),
                new DescribeTopicsOptions().includeAuthorizedOperations(true)).allTopicNames().get();
        for (Topic topic : Topic.values()) {
            TopicDescription description = described.get(names.name(topic));
            Set<AclOperation> allowed = description == null ? null : description.authorizedOperations();
            problems.addAll(of(topic).ofRights(role, allowed));
        }
        Map<ConfigResource, KafkaFuture<Config>> settings = admin
                .describeConfigs(EnumSet.allOf(Topic.class).stream().map(this::resource).toList()).values();
        for (Topic topic : Topic.values()) {
            KafkaFuture<Config> config = settings.get(resource(topic));
            if (config != null)
                problems.addAll(ofSettings(topic, config));
        }
        return problems;
    }

    private List<String> ofSettings(Topic topic, KafkaFuture<Config> config)
            throws InterruptedException, ExecutionException {
        try {
            Map<String, String> actual = new HashMap<>();
            for (ConfigEntry entry : config.get().entries()) {
                if (entry.value() != null)
                    actual.put(entry.name(), entry.value());
            }
            return of(topic).ofSettings(actual);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof AuthorizationException))
                throw e;
            // A process can run without that right; with it, the check finds more.
            LOG.info("topic settings not checked: this login may not describe them; topic={}",
                    names.name(topic));
            return List.of();
        }
    }

    private TopicProblems of(Topic topic) {
        return new TopicProblems(topic, names.name(topic), servers);
    }

    private ConfigResource resource(Topic topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, names.name(topic));
    }
}
