package dev.toolfleet.resources;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.resources.Declarations.agent;
import static dev.toolfleet.resources.Declarations.apply;
import static dev.toolfleet.resources.Declarations.plan;
import static dev.toolfleet.resources.Declarations.tool;
import static org.assertj.core.api.Assertions.assertThat;

class ChangesetRulesTest {
    private static final String ENABLED = "{'enabled': true}";

    @Test
    void withoutASwarmThatEnablesThemThereAreNone() {
        assertThat(rules("{}").enabled()).isFalse();
        assertThat(rules("{}", "{}").enabled()).isFalse();
        assertThat(rules("{}", "{'enabled': false}").enabled()).isFalse();
        assertThat(rules("{}", ENABLED).enabled()).isTrue();
        assertThat(rules("{}", "{}").allows("a.md")).isFalse();
    }

    @Test
    void allSwarmsOfTheAgentMustEnableThem() {
        assertThat(rules("{}", ENABLED, "{}").enabled()).isFalse();
        assertThat(rules("{}", ENABLED, ENABLED).enabled()).isTrue();
    }

    @Test
    void aFileMustBeAllowedByEachSwarmAndByTheAgent() {
        ChangesetRules rules = rules("{'allowed': {'files': ['prompts/**']}}",
                "{'enabled': true, 'allowed': {'files': ['prompts/a*', 'tools/**']}}");

        assertThat(rules.allows("prompts/a.md")).isTrue();
        assertThat(rules.allows("prompts/b.md")).isFalse();
        assertThat(rules.allows("tools/a.mjs")).isFalse();
    }

    @Test
    void noListAllowsEverythingAndNamesNothing() {
        assertThat(rules("{}", ENABLED).allows("policy.yaml")).isTrue();
        assertThat(rules("{}", ENABLED).names("policy.yaml")).isFalse();
    }

    @Test
    void aFileIsNamedByItsPathInEveryListThatThereIs() {
        String named = "{'enabled': true, 'allowed': {'files': ['agents/a.yaml']}}";
        String pattern = "{'enabled': true, 'allowed': {'files': ['agents/*.yaml']}}";

        assertThat(rules("{}", named).names("agents/a.yaml")).isTrue();
        assertThat(rules("{}", pattern).names("agents/a.yaml")).isFalse();
        assertThat(rules("{'allowed': {'files': ['agents/**']}}", named).names("agents/a.yaml")).isFalse();
        assertThat(rules("{'allowed': {'files': ['agents/a.yaml']}}", named).names("agents/a.yaml")).isTrue();
    }

    @Test
    void theToolIsShownOnlyWhereChangesetsAreEnabled() {
        ObjectNode changes = tool("swarm-bundle", "status");
        ((ObjectNode) changes.path("spec")).put("entry", ChangesetRules.ENTRY);

        assertThat(AgentTools.items(resources("{}", List.of(changes), ENABLED), "coder")).hasSize(1);
        assertThat(AgentTools.items(resources("{}", List.of(changes), "{}"), "coder")).isEmpty();
    }

    private static ChangesetRules rules(String ofAgent, String... ofSwarms) {
        return ChangesetRules.of(resources(ofAgent, List.of(), ofSwarms), "coder");
    }

    private static FleetResources resources(String ofAgent, List<ObjectNode> more, String... ofSwarms) {
        ResourceTable table = new ResourceTable();
        List<ObjectNode> all = new ArrayList<>(more);
        ObjectNode agent = agent("coder", more.isEmpty() ? new String[0] : new String[]{"Tool/swarm-bundle"});
        ((ObjectNode) agent.path("spec")).set("changesets", json(ofAgent));
        all.add(agent);
        for (int i = 0; i < ofSwarms.length; i++) {
            ObjectNode swarm = json("{'apiVersion': 'goondan.ai/v1', 'kind': 'Swarm', 'metadata': {'name': 's" + i
                    + "'}, 'spec': {'entryAgent': 'Agent/coder', 'agents': ['Agent/coder']}}");
            ((ObjectNode) swarm.path("spec")).putObject("policy").set("changesets", json(ofSwarms[i]));
            all.add(swarm);
        }
        apply(table, plan(table, "acme", all.toArray(ObjectNode[]::new)));
        return table.view();
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));
    }
}
