package dev.toolfleet.publishing.apply;

import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class AgentClaimsTest {
    private final ResourceTable table = new ResourceTable();

    @Test
    void anAgentOfAnotherBundleIsRefusedNamingBothAndTheWayOut() {
        apply("@b/one", agent("coder"));

        assertThatExceptionOfType(ApplyException.class)
                .isThrownBy(() -> AgentClaims.refuseNew("@a/two", List.of(agent("coder"), agent("free")), table.view()))
                .withMessageContaining("@a/two").withMessageContaining("@b/one").withMessageContaining("coder")
                .withMessageContaining("Rename it here").withMessageNotContaining("free")
                .satisfies(failure -> assertThat(failure.refused()).isTrue());
    }

    @Test
    void aBundlesOwnAgentsStayItsOwn() {
        apply("@b/one", agent("coder"));

        assertThatCode(() -> AgentClaims.refuseNew("@b/one", List.of(agent("coder"), agent("new")), table.view()))
                .doesNotThrowAnyException();
    }

    @Test
    void whatTwoBundlesHaveAlreadyIsAWarningSoThatBothCanStillBeMended() {
        apply("@b/one", agent("coder"));
        apply("@a/two", agent("coder"), agent("other"));

        assertThatCode(() -> AgentClaims.refuseNew("@b/one", List.of(agent("coder")), table.view()))
                .doesNotThrowAnyException();
        assertThat(AgentClaims.both("@b/one", table.view())).singleElement().asString().contains("coder", "@a/two",
                "only that of @a/two counts");
    }

    private void apply(String bundle, RevisionPlan.Declared... resources) {
        RevisionPlan.of(bundle, List.of(resources), table).entries()
                .forEach(entry -> table.apply(entry.key(), entry.value()));
    }

    private static RevisionPlan.Declared agent(String name) {
        ObjectNode agent = Json.MAPPER.createObjectNode().put("apiVersion", "goondan.ai/v1").put("kind", "Agent");
        agent.putObject("metadata").put("name", name);
        agent.putObject("spec").putArray("tools");
        return new RevisionPlan.Declared(agent, Map.of());
    }
}
