package dev.toolfleet.resources;

import java.util.List;

import dev.toolfleet.bundle.ToolGroupSpec;
import dev.toolfleet.bundle.Verdict;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.resources.Declarations.agent;
import static dev.toolfleet.resources.Declarations.apply;
import static dev.toolfleet.resources.Declarations.plan;
import static dev.toolfleet.resources.Declarations.resource;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class GroupsTest {
    private final ResourceTable table = new ResourceTable();

    @Test
    void onlyWhatABundleDeclaresIsAGroupAndNoPolicyMakesAShippedOneCount() {
        apply(table, plan(table, "team", agent("writer"), resource("ToolPolicy", "p"), group("ci", "deny")));

        assertThat(table.view().group("system", List.of("team", FleetResources.BUILT_IN))).isEmpty();
        assertThat(table.view().group("unheard-of", List.of("team"))).isEmpty();
        assertThat(table.view().group("ci", List.of("unheard-of", "team"))).isPresent();
        assertThat(table.view().group("CI", List.of("team"))).as("as policy reads it").isPresent();
    }

    @Test
    void whatADeclarationOfAShippedGroupLeavesOutIsAsShipped() {
        apply(table, plan(table, "team", group("system", "deny")));

        assertThat(table.view().group("system", List.of("team")).orElseThrow().includeInPromptWhen())
                .isEqualTo(requireNonNull(ToolGroupSpec.SHIPPED.get("system")).includeInPromptWhen());
    }

    @Test
    void theFirstBundleThatDeclaresAGroupCounts() {
        apply(table, plan(table, "one", group("ci", "deny")));
        apply(table, plan(table, "two", group("ci", "allow"), group("system", "allow")));

        assertThat(table.view().group("ci", List.of("one", "two")).orElseThrow().defaultPolicy())
                .contains(Verdict.DENY);
        assertThat(table.view().group("ci", List.of("two", "one")).orElseThrow().defaultPolicy())
                .contains(Verdict.ALLOW);
        assertThat(table.view().group("system", List.of("one", "two")).orElseThrow().defaultPolicy())
                .contains(Verdict.ALLOW);
    }

    @Test
    void aGroupThatCannotBeReadIsAProblemOfItsBundle() {
        apply(table, plan(table, "one", group("ci", "perhaps")));

        assertThat(table.view().bundle("one").orElseThrow().problems()).singleElement().asString()
                .contains("ToolGroup/ci", "perhaps");
        assertThat(table.view().bundle("one").orElseThrow().declaresPolicy()).isTrue();
    }

    private static ObjectNode group(String name, String defaultPolicy) {
        ObjectNode group = resource("ToolGroup", name);
        group.putObject("spec").put("defaultPolicy", defaultPolicy);
        return group;
    }
}
