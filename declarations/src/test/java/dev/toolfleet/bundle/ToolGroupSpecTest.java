package dev.toolfleet.bundle;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ToolGroupSpecTest {
    @Test
    void theSeedsSixGroupsAndMcpShipWithTheSeedsDefaults() {
        Map<String, String> shipped = ToolGroupSpec.SHIPPED.values().stream().collect(Collectors.toMap(
                ToolGroupSpec::name, group -> group.defaultPolicy().orElseThrow() + " " + group.includeInPromptWhen()));

        assertThat(shipped).isEqualTo(Map.of("finance", "ALLOW ALWAYS", "system", "REQUIRE_APPROVAL ON_DEMAND", "web",
                "ALLOW ALWAYS", "data", "REQUIRE_APPROVAL ON_DEMAND", "communication", "ALLOW ALWAYS", "mcp",
                "REQUIRE_APPROVAL ON_DEMAND", "custom", "REQUIRE_APPROVAL ON_DEMAND"));
    }

    @Test
    void aGroupIsReadFromItsJson() {
        ToolGroupSpec group = group("ci", """
                {"displayName": "Builds", "description": "All of CI", "defaultPolicy": "deny",
                 "includeInPromptWhen": "on-demand"}""");

        assertThat(group).isEqualTo(new ToolGroupSpec("ci", "Builds", "All of CI", Optional.of(Verdict.DENY),
                PromptInclusion.ON_DEMAND));
    }

    @Test
    void aGroupOfItsOwnNameSaysNothingThatItDoesNotSay() {
        assertThat(group("ci", "{}"))
                .isEqualTo(new ToolGroupSpec("ci", "ci", "", Optional.empty(), PromptInclusion.ALWAYS));
    }

    @Test
    void aShippedGroupThatIsDeclaredAgainKeepsWhatTheDeclarationLeavesOut() {
        ToolGroupSpec group = group("system", "{\"includeInPromptWhen\": \"always\"}");

        assertThat(group.defaultPolicy()).contains(Verdict.REQUIRE_APPROVAL);
        assertThat(group.includeInPromptWhen()).isEqualTo(PromptInclusion.ALWAYS);
    }

    @Test
    void aVerdictThatDoesNotExistIsNamed() {
        assertThatThrownBy(() -> group("ci", "{\"defaultPolicy\": \"maybe\"}"))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessageContaining("ToolGroup/ci").hasMessageContaining("spec.defaultPolicy")
                .hasMessageContaining("allow, require-approval or deny").hasMessageContaining("maybe");
    }

    private static ToolGroupSpec group(String name, String spec) {
        ObjectNode resource = Json.MAPPER.createObjectNode();
        resource.put("apiVersion", Kinds.TOOLFLEET_V1).put("kind", "ToolGroup").putObject("metadata").put("name", name);
        resource.set("spec", Json.MAPPER.readTree(spec));
        return ToolGroupSpec.of(resource);
    }
}
