package dev.toolfleet.publishing.apply;

import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SkillVersionsTest {
    private final ResourceTable table = new ResourceTable();

    @Test
    @DisplayName("SKL-05: a lower version of a skill is refused, a higher one replaces it, an equal one changes nothing")
    void aLowerVersionIsRefused() {
        apply(skill("1.4.0", "Do it."));

        assertThatExceptionOfType(ApplyException.class)
                .isThrownBy(() -> SkillVersions.refuseLower("acme", List.of(skill("1.3.9", "Old.")), table.view()))
                .withMessageContaining("deploy").withMessageContaining("1.3.9").withMessageContaining("1.4.0")
                .withMessageContaining("remove the skill first");
        assertThat(RevisionPlan.of("acme", List.of(skill("1.4.0", "Do it.")), table).changes()).isFalse();
        assertThatCode(() -> SkillVersions.refuseLower("acme", List.of(skill("1.10.0", "New.")), table.view()))
                .doesNotThrowAnyException();
        apply(skill("1.10.0", "New."));
        assertThat(table.view().bundle("acme").orElseThrow().skills()).hasEntrySatisfying("deploy",
                skill -> assertThat(skill.body()).isEqualTo("New."));
        assertThatCode(() -> SkillVersions.refuseLower("other", List.of(skill("0.1.0", "Other.")), table.view()))
                .doesNotThrowAnyException();
    }

    private void apply(RevisionPlan.Declared... resources) {
        RevisionPlan.of("acme", List.of(resources), table).entries()
                .forEach(entry -> table.apply(entry.key(), entry.value()));
    }

    private static RevisionPlan.Declared skill(String version, String body) {
        ObjectNode skill = Json.MAPPER.createObjectNode().put("apiVersion", "toolfleet.dev/v1").put("kind", "Skill");
        skill.putObject("metadata").put("name", "deploy");
        skill.putObject("spec").put("description", "Deploys.").put("version", version).put("body", body);
        return new RevisionPlan.Declared(skill, Map.of());
    }
}
