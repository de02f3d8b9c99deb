package dev.toolfleet.client.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/// The Kafka ACLs of a role: for the topics of [Role], and for the groups, transactional ids and internal topics of the
/// role's programs. All allow, from any host. Brokers of Kafka 4 require no right on the cluster.
public final class RoleAcls {
    private static final String ANY_HOST = "*";

    private final String principal;
    private final FleetNames names;
    private final List<AclBinding> acls = new ArrayList<>();

    private RoleAcls(String principal, FleetNames names) {
        this.principal = principal;
        this.names = names;
    }

    /// Returns the ACLs of a role: first those of the topics, in their order.
    ///
    /// @param principal as Kafka writes it, such as `User:ann`
    /// @param groups consumer groups of the principal's own
    public static List<AclBinding> of(Role role, String principal, FleetNames names, Collection<OwnGroup> groups) {
        RoleAcls acls = new RoleAcls(principal, names);
        acls.topics(role);
        acls.others(role);
        for (OwnGroup group : groups)
            acls.allow(ResourceType.GROUP, group.name(), group.pattern(), AclOperation.READ);
        return List.copyOf(acls.acls);
    }

    private void topics(Role role) {
        for (Topic topic : Topic.values()) {
            String name = names.topics().name(topic);
            if (role.reads().contains(topic))
                allow(ResourceType.TOPIC, name, PatternType.LITERAL, AclOperation.READ);
            if (role.writes().contains(topic))
                allow(ResourceType.TOPIC, name, PatternType.LITERAL, AclOperation.WRITE);
            if (role.sees().contains(topic))
                allow(ResourceType.TOPIC, name, PatternType.LITERAL, AclOperation.DESCRIBE);
            if (role.checksSettings())
                allow(ResourceType.TOPIC, name, PatternType.LITERAL, AclOperation.DESCRIBE_CONFIGS);
            if (role == Role.DEPLOYER)
                allow(ResourceType.TOPIC, name, PatternType.LITERAL, AclOperation.CREATE);
        }
    }

    private void others(Role role) {
        String resources = names.topics().name(Topic.RESOURCE);
        switch (role) {
            case OPERATOR -> {
                for (String id : List.of(resources + ".operator",
                        names.topics().name(Topic.DEAD_LETTER) + ".operator",
                        names.topics().name(Topic.OPERATOR) + ".lane"))
                    allow(ResourceType.TRANSACTIONAL_ID, id, PatternType.LITERAL, AclOperation.WRITE);
                describesWorkers();
            }
            case ANALYST -> describesWorkers();
            case DEPLOYER -> allow(ResourceType.TRANSACTIONAL_ID, resources + ".apply.", PatternType.PREFIXED,
                    AclOperation.WRITE);
            case WORKER -> {
                worker(names.workerGroup());
                // It applies what agents commit to their bundles, and writes revisions in the name that fences others.
                allow(ResourceType.TRANSACTIONAL_ID, resources + ".apply.", PatternType.PREFIXED, AclOperation.WRITE);
            }
            case CATALOG -> application(names.catalogApplication());
            case GATEWAY -> {
                application(names.gatewayApplication());
                deletesRepartitioned(names.gatewayApplication());
            }
            case SESSION -> application(names.sessionApplication());
            case RUNTIME, TOOL, APPROVER -> {
                // Needs topics only.
            }
        }
    }

    /// For commands that show the owner of a call and the progress of its partition.
    private void describesWorkers() {
        allow(ResourceType.GROUP, names.workerGroup(), PatternType.LITERAL, AclOperation.DESCRIBE);
    }

    private void worker(String group) {
        allow(ResourceType.GROUP, group, PatternType.LITERAL, AclOperation.READ);
        // A worker that takes over from a dead one checks whether the transactional id that it wants to fence could
        // belong to another group. Names of groups and workers may have dots, so it describes each prefix of its
        // group's name that ends before a dot.
        for (int dot = group.indexOf('.'); dot > 0; dot = group.indexOf('.', dot + 1))
            allow(ResourceType.GROUP, group.substring(0, dot), PatternType.LITERAL, AclOperation.DESCRIBE);
        allow(ResourceType.GROUP, group + ".", PatternType.PREFIXED, AclOperation.DESCRIBE);
        allow(ResourceType.TRANSACTIONAL_ID, group + ".", PatternType.PREFIXED, AclOperation.WRITE);
        application(group + "-completions");
        deletesRepartitioned(group + "-completions");
        application(group + "-oauth");
    }

    /// Kafka Streams deletes repartitioned records once they are processed.
    private void deletesRepartitioned(String id) {
        allow(ResourceType.TOPIC, id + "-", PatternType.PREFIXED, AclOperation.DELETE);
    }

    /// Grants the rights of a Kafka Streams application, which makes its internal topics itself.
    private void application(String id) {
        allow(ResourceType.GROUP, id, PatternType.LITERAL, AclOperation.READ);
        allow(ResourceType.TRANSACTIONAL_ID, id + "-", PatternType.PREFIXED, AclOperation.WRITE);
        allow(ResourceType.TOPIC, id + "-", PatternType.PREFIXED, AclOperation.CREATE);
        allow(ResourceType.TOPIC, id + "-", PatternType.PREFIXED, AclOperation.READ);
        allow(ResourceType.TOPIC, id + "-", PatternType.PREFIXED, AclOperation.WRITE);
    }

    private void allow(ResourceType type, String name, PatternType pattern, AclOperation operation) {
        acls.add(new AclBinding(new ResourcePattern(type, name, pattern),
                new AccessControlEntry(principal, ANY_HOST, operation, AclPermissionType.ALLOW)));
    }
}
