package dev.toolfleet.resources;

import dev.toolfleet.bundle.PromptInclusion;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.resources.Declarations.agent;
import static dev.toolfleet.resources.Declarations.apply;
import static dev.toolfleet.resources.Declarations.plan;
import static dev.toolfleet.resources.Declarations.resource;
import static org.assertj.core.api.Assertions.assertThat;

class GroupInclusionTest {
    private final ResourceTable table = new ResourceTable();

    @Test
    void theAgentsBundleIsAskedBeforeTheTools() {
        apply(table, plan(table, "agents", group("ci", "never")));
        apply(table, plan(table, "tools", group("ci", "on-demand")));

        assertThat(of("agents", "ci")).isEqualTo(PromptInclusion.NEVER);
        assertThat(of("others", "ci")).isEqualTo(PromptInclusion.ON_DEMAND);
    }

    @Test
    void withoutAGroupOrWithOneThatNobodyDeclaresAToolIsAlwaysShown() {
        apply(table, plan(table, "agents", group("ci", "never")));

        assertThat(of("agents", null)).isEqualTo(PromptInclusion.ALWAYS);
        assertThat(of("agents", "unheard-of")).isEqualTo(PromptInclusion.ALWAYS);
    }

    @Test
    void aPolicyOrAnotherGroupHidesNoToolOfAShippedGroup() {
        apply(table, plan(table, "agents", agent("coder"), resource("ToolPolicy", "p"), group("ci", "never")));
        assertThat(of("agents", "system")).isEqualTo(PromptInclusion.ALWAYS);

        apply(table, plan(table, "agents", agent("coder"), group("system", "on-demand")));
        assertThat(of("agents", "system")).isEqualTo(PromptInclusion.ON_DEMAND);
    }

    @Test
    void aGroupWhoseDeclarationCannotBeReadHidesItsTools() {
        apply(table, plan(table, "agents", group("ci", "sometimes")));

        assertThat(of("agents", "ci")).isEqualTo(PromptInclusion.NEVER);
    }

    private PromptInclusion of(String bundle, @Nullable String group) {
        return GroupInclusion.of(table.view(), bundle,
                new ToolCatalogItem("t__e", null, Json.MAPPER.createObjectNode(),
                        new ToolSource(ToolSource.CONFIG, "t"), new ToolRef("tools", "t", "e"), group));
    }

    private static ObjectNode group(String name, String inclusion) {
        ObjectNode group = resource("ToolGroup", name);
        group.putObject("spec").put("includeInPromptWhen", inclusion);
        return group;
    }
}
