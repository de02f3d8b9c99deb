package dev.toolfleet.cli.access;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.toolfleet.json.Json;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.SecurityUtils;
import tools.jackson.databind.node.ArrayNode;

/// ACLs for people and for other programs.
final class AclText {
    private AclText() {}

    /// One line a resource, such as `Read, Write on topic tool.call`.
    static List<String> lines(List<AclBinding> acls) {
        return byResource(acls).entrySet().stream().map(entry -> String.join(", ", entry.getValue()) + " on "
                + what(entry.getKey().resourceType()) + " " + entry.getKey().name()
                + (entry.getKey().patternType() == PatternType.PREFIXED ? "*" : "")).toList();
    }

    /// A command of Kafka's own tool for each resource.
    static List<String> commands(List<AclBinding> acls, String principal, String servers) {
        return byResource(acls).entrySet().stream()
                .map(entry -> "kafka-acls.sh --bootstrap-server " + quoted(servers) + " --add --allow-principal "
                        + quoted(principal)
                        + entry.getValue().stream().map(operation -> " --operation " + operation)
                                .collect(Collectors.joining())
                        + " --" + what(entry.getKey().resourceType()).replace(' ', '-') + " "
                        + quoted(entry.getKey().name())
                        + (entry.getKey().patternType() == PatternType.PREFIXED
                                ? " --resource-pattern-type prefixed"
                                : ""))
                .toList();
    }

    /// `[{resourceType, name, patternType, operation}]`, as Kafka names them.
    static ArrayNode json(List<AclBinding> acls) {
        ArrayNode array = Json.MAPPER.createArrayNode();
        for (AclBinding acl : acls) {
            array.addObject().put("resourceType", SecurityUtils.resourceTypeName(acl.pattern().resourceType()))
                    .put("name", acl.pattern().name())
                    .put("patternType", acl.pattern().patternType() == PatternType.PREFIXED ? "Prefixed" : "Literal")
                    .put("operation", SecurityUtils.operationName(acl.entry().operation()));
        }
        return array;
    }

    private static Map<ResourcePattern, List<String>> byResource(List<AclBinding> acls) {
        Map<ResourcePattern, List<String>> operations = new LinkedHashMap<>();
        for (AclBinding acl : acls)
            operations.computeIfAbsent(acl.pattern(), pattern -> new ArrayList<>())
                    .add(SecurityUtils.operationName(acl.entry().operation()));
        return operations;
    }

    private static String what(ResourceType type) {
        return switch (type) {
            case TOPIC -> "topic";
            case GROUP -> "group";
            case TRANSACTIONAL_ID -> "transactional id";
            case CLUSTER, DELEGATION_TOKEN, USER, ANY, UNKNOWN ->
                throw new IllegalArgumentException("no role has rights on a " + type);
        };
    }

    /// For a shell. Distinguished names hold spaces and commas.
    private static String quoted(String argument) {
        return argument.matches("[A-Za-z0-9._:/,@=+-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
