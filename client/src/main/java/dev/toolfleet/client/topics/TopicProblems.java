package dev.toolfleet.client.topics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.acl.AclOperation;
import org.jspecify.annotations.Nullable;

/// Problems of one topic, each with the command that repairs it. Pure.
///
/// @param name of the topic at the brokers
/// @param servers `bootstrap.servers`, for commands
record TopicProblems(Topic topic, String name, String servers) {
    /// Settings that the fleet's promises depend on. Retention and segment sizes are the choice of the brokers'
    /// operators.
    private static final String CLEANUP = "cleanup.policy";
    private static final String TIMESTAMP = "message.timestamp.type";
    private static final String LARGEST = "max.message.bytes";
    private static final String LAG = "min.compaction.lag.ms";

    /// Returns the problems of the settings.
    ///
    /// @param actual the settings from the brokers
    List<String> ofSettings(Map<String, String> actual) {
        Map<String, String> needed = topic.config();
        List<String> problems = new ArrayList<>();
        exact(problems, actual, needed, CLEANUP, topic.compacted()
                ? "or the fleet loses state, or keeps it for ever"
                : "or records with the key of another would disappear");
        if (topic.timestamps() == Topic.Timestamps.BROKERS_ALWAYS)
            exact(problems, actual, needed, TIMESTAMP, "since the clocks of agents and tools are not the fleet's");
        atLeast(problems, actual, needed, LARGEST, "or records that the fleet writes would be refused");
        atLeast(problems, actual, needed, LAG, "or pending calls could be compacted away unread");
        return problems;
    }

    private void exact(List<String> problems, Map<String, String> actual, Map<String, String> needed, String key,
            String why) {
        String want = needed.get(key);
        String have = actual.get(key);
        if (want != null && have != null && !want.equals(have))
            problems.add(setting(key, have, want, why));
    }

    private void atLeast(List<String> problems, Map<String, String> actual, Map<String, String> needed, String key,
            String why) {
        String want = needed.get(key);
        String have = actual.get(key);
        if (want != null && have != null && Long.parseLong(have) < Long.parseLong(want))
            problems.add(setting(key, have, want, why));
    }

    private String setting(String key, String have, String want, String why) {
        return "topic '%s' has %s=%s and needs %s, %s; repair it with `kafka-configs.sh --bootstrap-server %s --alter --topic %s --add-config %s=%s`"
                .formatted(name, key, have, want, why, servers, name, key, want);
    }

    /// Returns the missing rights.
    ///
    /// @param allowed the rights of this client from the brokers; null when they do not return them
    List<String> ofRights(TopicRole role, @Nullable Set<AclOperation> allowed) {
        List<String> problems = new ArrayList<>();
        if (allowed == null || allowed.contains(AclOperation.ALL))
            return problems;
        if (role.reads(topic) && !allowed.contains(AclOperation.READ))
            problems.add(right(role, "read", "Read"));
        if (role.writes(topic) && !allowed.contains(AclOperation.WRITE))
            problems.add(right(role, "write", "Write"));
        return problems;
    }

    private String right(TopicRole role, String verb, String operation) {
        return "this login may not %s the topic '%s', as %s has to; grant it with `kafka-acls.sh --bootstrap-server %s --add --allow-principal User:NAME --operation %s --topic %s`"
                .formatted(verb, name, role.what(), servers, operation, name);
    }
}
