package dev.toolfleet.bench.micro;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.json.Json;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.policy.PolicyQuery;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A fleet of four teams with many rules, and calls of its tools. Of ten rules about six name tools, half of these by a
/// pattern; two name groups, and two flags or sources. Half are about some users, channels or agents only. One rule of
/// a hundred denies, one of ten wants an approval, and the others allow, as in fleets where most calls pass.
final class ManyRules {
    private static final List<String> TEAMS = List.of("acme", "builds", "market", "office");
    private static final List<String> GROUPS = List.of("finance", "system", "web", "data", "communication", "custom");
    private static final int TOOLS = 30;
    private static final int EXPORTS = 4;
    private static final int USERS = 50;
    private static final int CHANNELS = 20;

    private final Random random;
    private final ResourceTable table = new ResourceTable();

    ManyRules(int rules, long seed) {
        random = new Random(seed);
        for (String team : TEAMS)
            publish(team, rules / TEAMS.size());
    }

    FleetResources resources() {
        return table.view();
    }

    /// Calls of all tools, by callers of all teams.
    List<PolicyQuery> queries(int count) {
        List<PolicyQuery> queries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int number = random.nextInt(TOOLS);
            Set<ToolFlag> flags = EnumSet.noneOf(ToolFlag.class);
            if (number % 3 == 0)
                flags.add(ToolFlag.READ_ONLY);
            if (number % 10 == 9)
                flags.add(ToolFlag.IS_TRANSACTIONAL);
            queries.add(new PolicyQuery(new PolicyTool(tool(number, number % EXPORTS), TEAMS.get(number % TEAMS.size()),
                    number % 7 == 0 ? "mcp" : "config", GROUPS.get(number % GROUPS.size()), flags,
                    "java:com.acme.T" + number),
                    new PolicyCaller("u" + random.nextInt(USERS), "c" + random.nextInt(CHANNELS),
                            TEAMS.get(random.nextInt(TEAMS.size())) + "-agent"),
                    Json.MAPPER.createObjectNode().put("amount", random.nextInt(2000))));
        }
        return queries;
    }

    private void publish(String team, int count) {
        ObjectNode agent = resource("goondan.ai/v1", Kinds.AGENT, team + "-agent");
        agent.withObject("spec").putArray("tools");
        ObjectNode policy = resource(Kinds.TOOLFLEET_V1, Kinds.TOOL_POLICY, "rules");
        ArrayNode rules = policy.withObject("spec").putArray("rules");
        for (int i = 0; i < count; i++)
            rules.add(rule(i));
        RevisionPlan plan = RevisionPlan.of(team, List.of(new RevisionPlan.Declared(agent, Map.of()),
                new RevisionPlan.Declared(policy, Map.of())), table);
        plan.entries().forEach(entry -> table.apply(entry.key(), entry.value()));
    }

    private ObjectNode rule(int number) {
        ObjectNode rule = Json.MAPPER.createObjectNode().put("id", "r" + number).put("verdict",
                random.nextInt(100) == 0 ? "deny" : random.nextInt(10) == 0 ? "require-approval" : "allow");
        int tool = random.nextInt(TOOLS);
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> rule.put("tool", tool(tool, random.nextInt(EXPORTS)));
            case 3, 4 -> rule.put("tool", tool(tool, 0).replaceFirst("__.*", "__*"));
            case 5 -> rule.put("tool", "*" + tool + "__e*" + random.nextInt(EXPORTS));
            case 6, 7 -> rule.put("group", GROUPS.get(random.nextInt(GROUPS.size())));
            case 8 -> rule.put("source", "mcp");
            default -> rule.put("flag", random.nextBoolean() ? "readOnly" : "destructive");
        }
        ObjectNode scope = Json.MAPPER.createObjectNode();
        switch (random.nextInt(8)) {
            case 0, 1 -> scope.put("userId", "u" + random.nextInt(USERS));
            case 2 -> scope.put("channelId", "c" + random.nextInt(CHANNELS));
            case 3 -> scope.put("agentName", TEAMS.get(random.nextInt(TEAMS.size())) + "-agent");
            default -> {
            }
        }
        if (!scope.isEmpty())
            rule.set("scope", scope);
        return rule;
    }

    private static String tool(int number, int export) {
        return "tool-" + number + "__export" + export;
    }

    private static ObjectNode resource(String version, String kind, String name) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", version).put("kind", kind);
        resource.putObject("metadata").put("name", name);
        resource.putObject("spec");
        return resource;
    }
}
