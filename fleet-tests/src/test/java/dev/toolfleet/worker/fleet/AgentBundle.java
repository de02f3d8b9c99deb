package dev.toolfleet.worker.fleet;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.toolfleet.json.Json;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.runtime.builtin.BuiltinBundle;
import tools.jackson.databind.node.ObjectNode;

/// The bundle of tests of agents: a swarm of planner and reviewer over the built-in tools, and a loner.
final class AgentBundle {
    private static final WireCodec<ResourceRecord> RESOURCES = WireCodec.of(ResourceRecord.class);

    private AgentBundle() {}

    /// Lets workers judge calls by what their agents list.
    ///
    /// @param more resources of the agents' bundle; the agents list its tools
    static TestFleet apply(TestFleet fleet, ObjectNode... more) {
        fleet.with("catalog.mode", "agent");
        apply(fleet, "@toolfleet/base", BuiltinBundle.load().bundle().resources().stream()
                .map(resource -> new RevisionPlan.Declared(resource.document(), Map.of())).toList());
        ObjectNode swarm = resource("Swarm", "team");
        swarm.putObject("spec").put("crossInstance", true).put("entryAgent", "Agent/planner").putArray("agents")
                .add("Agent/planner")
                .add("Agent/reviewer");
        ObjectNode ask = resource("Tool", "asking");
        ask.put("apiVersion", "toolfleet.dev/v1").putObject("spec").put("entry", "java:" + AskTool.class.getName())
                .putArray("exports").addObject().put("name", "ask").put("description", "asks").put("timeout", "2m");
        List<String> tools = Stream.of(more).filter(each -> each.path("kind").asString().equals("Tool"))
                .map(each -> each.path("metadata").path("name").asString()).toList();
        apply(fleet, "team", Stream
                .concat(Stream.of(agent("planner", tools), agent("reviewer", tools), agent("loner", tools), swarm, ask),
                        Stream.of(more))
                .map(each -> new RevisionPlan.Declared(each, Map.of())).toList());
        return fleet;
    }

    private static void apply(TestFleet fleet, String bundle, List<RevisionPlan.Declared> declared) {
        for (RevisionPlan.Entry entry : RevisionPlan.of(bundle, declared, new ResourceTable()).entries()) {
            ResourceRecord value = entry.value();
            fleet.send(Topic.RESOURCE, 0, entry.key(), value == null ? null : RESOURCES.write(value));
        }
    }

    private static ObjectNode agent(String name, List<String> tools) {
        ObjectNode agent = resource("Agent", name);
        ObjectNode spec = agent.putObject("spec");
        for (String base : List.of("agents", "file-system"))
            spec.withArray("tools").addObject().putObject("ref").put("kind", "Tool").put("name", base)
                    .put("package", "@toolfleet/base");
        spec.withArray("tools").addObject().put("ref", "Tool/asking");
        tools.forEach(tool -> spec.withArray("tools").addObject().put("ref", "Tool/" + tool));
        return agent;
    }

    private static ObjectNode resource(String kind, String name) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", "goondan.ai/v1").put("kind", kind);
        resource.putObject("metadata").put("name", name);
        return resource;
    }

    static ToolCall call(String id, String tool, String agent, String instance, Object... args) {
        ObjectNode input = Json.MAPPER.createObjectNode();
        for (int i = 0; i < args.length; i += 2)
            input.set((String) args[i], Json.MAPPER.valueToTree(args[i + 1]));
        return ToolCall.of(id, tool, input, instance).inStep(agent, "turn", "s1", 0);
    }
}
