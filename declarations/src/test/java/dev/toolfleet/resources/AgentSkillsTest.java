package dev.toolfleet.resources;

import java.util.List;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.resources.Declarations.agent;
import static dev.toolfleet.resources.Declarations.apply;
import static dev.toolfleet.resources.Declarations.plan;
import static dev.toolfleet.resources.Declarations.resource;
import static org.assertj.core.api.Assertions.assertThat;

class AgentSkillsTest {
    private final ResourceTable table = new ResourceTable();

    @Test
    @DisplayName("SKL-01: the skills of a bundle are there, each with its tools, in one order")
    void skillsOfTheAgentsBundle() {
        apply(table, plan(table, "acme", agent("coder"), skill("b", "1.0.0", "t__b"), skill("a", "1.0.0", "t__a2",
                "t__a1")));

        assertThat(skills()).containsExactly("acme a 1.0.0 [t__a2, t__a1]", "acme b 1.0.0 [t__b]");
        assertThat(AgentSkills.of(table.view(), "absent").skills()).isEmpty();
    }

    @Test
    @DisplayName("SKL-02: a removed skill is gone with its tools; removing an unknown one changes nothing")
    void removedSkillsAreGone() {
        apply(table, plan(table, "acme", agent("coder"), skill("a", "1.0.0", "t__a"), skill("b", "1.0.0", "t__b")));
        apply(table, plan(table, "acme", agent("coder"), skill("b", "1.0.0", "t__b")));

        assertThat(skills()).containsExactly("acme b 1.0.0 [t__b]");
        assertThat(plan(table, "acme", agent("coder"), skill("b", "1.0.0", "t__b")).changes()).isFalse();
    }

    @Test
    void dependenciesAddTheirSkillsAndTheHigherVersionCounts() {
        apply(table, plan(table, "@acme/base", skill("a", "2.0.0", "t__new"), skill("b", "0.1.0", "t__low"),
                skill("c", "1.0.0", "t__c")));
        apply(table, plan(table, "@other/base", skill("d", "1.0.0", "t__d")));
        apply(table, plan(table, "acme", pack("acme", "@acme/base", "@gone/base"), agent("coder"),
                skill("a", "1.9.0", "t__old"), skill("b", "0.1.0", "t__own")));

        assertThat(skills()).containsExactly("acme b 0.1.0 [t__own]", "@acme/base a 2.0.0 [t__new]",
                "@acme/base c 1.0.0 [t__c]");
    }

    @Test
    @DisplayName("SKL-04: a skill of a dependency with a tool of another skill is left out as a whole, with the reason")
    void aToolOfAnotherSkillLeavesTheSkillOut() {
        apply(table, plan(table, "@acme/base", skill("x", "9.0.0", "t__x", "t__a")));
        apply(table, plan(table, "acme", pack("acme", "@acme/base"), agent("coder"), skill("a", "1.0.0", "t__a")));

        assertThat(skills()).containsExactly("acme a 1.0.0 [t__a]");
        assertThat(AgentSkills.of(table.view(), "coder").problems()).singleElement().asString()
                .contains("skill x of @acme/base").contains("t__a").contains("the skill a");
    }

    private List<String> skills() {
        return AgentSkills.of(table.view(), "coder").skills().stream()
                .map(skill -> skill.bundle() + " " + skill.spec().name() + " " + skill.spec().version() + " "
                        + skill.spec().tools().stream().map(tool -> tool.name()).toList())
                .toList();
    }

    private static ObjectNode pack(String name, String... dependencies) {
        ObjectNode pack = resource("Package", name);
        ArrayNode list = pack.putObject("spec").putArray("dependencies");
        for (String dependency : dependencies)
            list.addObject().put("name", dependency);
        return pack;
    }

    private static ObjectNode skill(String name, String version, String... tools) {
        ObjectNode skill = resource("Skill", name).put("apiVersion", "toolfleet.dev/v1");
        ObjectNode spec = skill.putObject("spec").put("description", "Does " + name).put("version", version).put("body",
                "Do it.");
        ArrayNode list = spec.putArray("tools");
        for (String tool : tools)
            list.add(tool);
        return skill;
    }
}
