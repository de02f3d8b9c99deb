package dev.toolfleet.bench.engine;

import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.wire.InstanceLabel;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Bundle of a comparison: the tool with a schema of its arguments, an agent that may call it, and fifty rules of a
/// policy, of all stages, and without a rule that forbids a call of it.
public final class ComparedBundle {
    /// Number of rules.
    public static final int RULES = 50;

    private ComparedBundle() {}

    /// The bundle's resources, with the tool in Java.
    public static List<RevisionPlan.Declared> declared() {
        return declared(ComparedCode.JAVA, Map.of());
    }

    /// The bundle's resources.
    ///
    /// @param files the tool's, with their digests
    public static List<RevisionPlan.Declared> declared(ComparedCode code, Map<String, String> files) {
        ObjectNode agent = resource("goondan.ai/v1", Kinds.AGENT, ComparedTool.AGENT);
        agent.withObject("spec").putArray("tools").addObject().put("ref", "Tool/" + ComparedTool.TOOL);
        return List.of(new RevisionPlan.Declared(tool(code), files), new RevisionPlan.Declared(agent, Map.of()),
                new RevisionPlan.Declared(policy(), Map.of()));
    }

    private static ObjectNode tool(ComparedCode code) {
        ObjectNode tool = resource("goondan.ai/v1", "Tool", ComparedTool.TOOL);
        ObjectNode spec = tool.withObject("spec").put("entry", code.entry());
        ArrayNode exports = spec.putArray("exports");
        again(exports, ComparedTool.IDEMPOTENT);
        again(exports, ComparedTool.LABELLED).putArray("adds").add(InstanceLabel.UNTRUSTED)
                .add(InstanceLabel.SENSITIVE);
        exports.addObject().put("name", ComparedTool.ONCE).put("description", "Writes one more.").set("parameters",
                schema());
        return tool;
    }

    private static ObjectNode again(ArrayNode exports, String name) {
        ObjectNode again = exports.addObject().put("name", name).put("description", "Writes the same again.");
        again.putObject("annotations").put("idempotent", true);
        again.set("parameters", schema());
        return again;
    }

    private static ObjectNode schema() {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("type", "object").put("additionalProperties", false);
        ObjectNode properties = schema.putObject("properties");
        properties.putObject(ComparedTool.NUMBER).put("type", "integer").put("minimum", 0);
        properties.putObject(ComparedTool.MILLIS).put("type", "integer").put("minimum", 0);
        properties.putObject(ComparedTool.TEXT).put("type", "string").put("maxLength", 1_000_000);
        schema.putArray("required").add(ComparedTool.NUMBER).add(ComparedTool.MILLIS).add(ComparedTool.TEXT);
        return schema;
    }

    private static ObjectNode policy() {
        ObjectNode policy = resource(Kinds.TOOLFLEET_V1, Kinds.TOOL_POLICY, "rules");
        ArrayNode rules = policy.withObject("spec").putArray("rules");
        for (int i = 0; i < RULES; i++)
            rules.add(rule(i));
        return policy;
    }

    /// One rule of five allows the tool by a pattern, the others concern other tools, groups, flags and people.
    private static ObjectNode rule(int number) {
        ObjectNode rule = Json.MAPPER.createObjectNode().put("id", "rule-" + number);
        switch (number % 5) {
            case 0 -> rule.put("tool", ComparedTool.TOOL + "__*").put("verdict", "allow").putObject("scope")
                    .put("userId", "user-" + number);
            case 1 -> rule.put("tool", "builds-" + number + "__*").put("verdict", "require-approval");
            case 2 -> rule.put("group", "finance").put("verdict", "deny").putObject("scope")
                    .put("channelId", "channel-" + number);
            case 3 -> rule.put("flag", "destructive").put("verdict", "require-approval").putObject("scope")
                    .put("userId", "user-" + number);
            default -> rule.put("tool", "market-" + number + "__sell").put("verdict", "deny");
        }
        return rule;
    }

    private static ObjectNode resource(String version, String kind, String name) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", version).put("kind", kind);
        resource.putObject("metadata").put("name", name);
        resource.putObject("spec");
        return resource;
    }
}
