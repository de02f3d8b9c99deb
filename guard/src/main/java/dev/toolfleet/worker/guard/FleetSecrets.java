package dev.toolfleet.worker.guard;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.config.Secrets;
import dev.toolfleet.resources.FleetResources;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Secrets that this process holds: of its Kafka clients, of its environment, and those that bundles name by
/// `valueFrom: {env: …}`. Immutable.
///
/// @param kafka properties of Kafka clients
/// @param environment as [System#getenv]
public record FleetSecrets(Map<String, String> kafka, Map<String, String> environment) {
    /// Endings of names whose value leads to a secret and is none.
    private static final Pattern NO_VALUE = Pattern.compile(
            ".*[._-](file|path|dir|directory|url|uri|location|class|name|type|id|algorithm|provider|timeout|ttl|seconds|ms)");
    private static final Pattern WITHIN = Pattern
            .compile("(?i)password\\s*=\\s*(?:\"([^\"]++)\"|'([^']++)'|([^\\s;&\"']++))|://[^/@:\\s]*+:([^/@\\s]++)@");
    private static final int DEEPEST = 100;

    /// No secrets.
    public static final FleetSecrets NONE = new FleetSecrets(Map.of(), Map.of());

    /// Copies the maps.
    public FleetSecrets {
        kafka = Map.copyOf(kafka);
        environment = Map.copyOf(environment);
    }

    /// Returns the values of the secrets.
    ///
    /// @param resources may name variables
    Set<String> values(FleetResources resources) {
        Set<String> values = new LinkedHashSet<>();
        kafka.forEach((name, value) -> add(name, value, values));
        environment.forEach((name, value) -> add(name, value, values));
        resources.bundles().values().forEach(bundle -> bundle.records().values()
                .forEach(record -> variables(secretParts(record.resource()), 0).forEach(name -> {
                    String value = environment.get(name);
                    if (value != null)
                        values.add(value);
                })));
        return values;
    }

    /// Leaves out the id of an OAuth client: it stands in the address that a person opens.
    private static JsonNode secretParts(ObjectNode resource) {
        if (!resource.path("kind").asString("").equals(Kinds.OAUTH_APP))
            return resource;
        ObjectNode copy = resource.deepCopy();
        if (copy.path("spec").path("client") instanceof ObjectNode client)
            client.remove("clientId");
        return copy;
    }

    private static void add(String name, String value, Set<String> values) {
        WITHIN.matcher(value).results().forEach(found -> {
            for (int group = 1; group <= found.groupCount(); group++) {
                String within = found.group(group);
                if (within != null)
                    values.add(within);
            }
        });
        if (Secrets.isSecret(name) && !NO_VALUE.matcher(name.toLowerCase(Locale.ROOT)).matches())
            values.add(value);
    }

    private static List<String> variables(JsonNode node, int depth) {
        List<String> names = new ArrayList<>();
        if (depth > DEEPEST)
            return names;
        JsonNode env = node.path("valueFrom").path("env");
        if (env.isString())
            names.add(env.stringValue());
        for (JsonNode child : node)
            names.addAll(variables(child, depth + 1));
        return names;
    }

    /// Shows no value.
    @Override
    public String toString() {
        return "FleetSecrets[" + (kafka.size() + environment.size()) + " settings]";
    }
}
