package dev.toolfleet.publishing.apply;

import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class RevisionChangesTest {
    private final ResourceTable table = new ResourceTable();

    @Test
    void theFirstRevisionAddsEverything() {
        AppliedRevision applied = apply(agent("a", 1), agent("b", 1));

        assertThat(applied.revision()).isEqualTo(1);
        assertThat(applied.added()).containsExactly("Agent/a", "Agent/b");
        assertThat(applied.lines()).containsExactly("@x/y is at revision 1: 2 added, 0 changed, 0 pruned, 0 unchanged",
                "  + Agent/a", "  + Agent/b");
    }

    @Test
    void theNextOneSaysWhatIsDifferent() {
        apply(agent("a", 1), agent("b", 1), agent("c", 1));

        AppliedRevision applied = apply(agent("a", 1), agent("b", 2), agent("d", 1));

        assertThat(applied.added()).containsExactly("Agent/d");
        assertThat(applied.changed()).containsExactly("Agent/b");
        assertThat(applied.pruned()).containsExactly("Agent/c");
        assertThat(applied.unchanged()).isEqualTo(1);
    }

    @Test
    void theSameAgainChangesNothing() {
        apply(agent("a", 1));

        AppliedRevision applied = apply(agent("a", 1));

        assertThat(applied.changes()).isFalse();
        assertThat(applied.lines())
                .containsExactly("@x/y is at revision 1 already; 1 resources, nothing changed");
    }

    private AppliedRevision apply(RevisionPlan.Declared... resources) {
        RevisionPlan plan = RevisionPlan.of("@x/y", List.of(resources), table);
        AppliedRevision applied = RevisionChanges.of(plan, table);
        plan.entries().forEach(entry -> table.apply(entry.key(), entry.value()));
        return applied;
    }

    private static RevisionPlan.Declared agent(String name, int version) {
        ObjectNode agent = Json.MAPPER.createObjectNode().put("apiVersion", "goondan.ai/v1").put("kind", "Agent");
        agent.putObject("metadata").put("name", name);
        agent.putObject("spec").put("version", version).putArray("tools");
        return new RevisionPlan.Declared(agent, Map.of());
    }
}
