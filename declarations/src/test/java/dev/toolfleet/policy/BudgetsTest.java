package dev.toolfleet.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.bundle.EffectBudgetSpec.Per;
import dev.toolfleet.bundle.EffectBudgetSpec.Unit;
import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.json.Json;
import dev.toolfleet.policy.Budgets.Budget;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.wire.ToolSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class BudgetsTest {
    private static final PolicyTool SEND = tool("mail__send", "acme", Set.of(ToolFlag.SENDS));
    private static final PolicyTool READ = tool("mail__read", "acme", Set.of());
    private static final PolicyTool FOREIGN = tool("mail__send", "other", Set.of(ToolFlag.SENDS));

    @Test
    void itsSelectorChoosesTheCalls() {
        Budgets budgets = acme("{'per':'turn','calls':3,'flag':'sends'}");

        assertThat(budgets.of(SEND, by("coder")))
                .containsExactly(new Budget("acme/b0", Per.TURN, Unit.CALLS, 3, true));
        assertThat(budgets.of(READ, by("coder"))).isEmpty();
    }

    @Test
    void itReachesItsBundleAndCallsOfNoDeclaredAgent() {
        Budgets budgets = acme("{'per':'turn','calls':3,'tool':'mail__*'}");

        assertThat(budgets.of(FOREIGN, by("coder"))).as("its agent").hasSize(1);
        assertThat(budgets.of(FOREIGN, by(null))).as("no declared agent").hasSize(1);
        assertThat(budgets.of(SEND, by("stranger"))).as("its tool").hasSize(1);
    }

    @Test
    void severalBudgetsCountForOneCall() {
        assertThat(acme("{'per':'turn','calls':3,'tool':'*'}", "{'per':'instance','cost':9,'tool':'mail__send'}")
                .of(SEND, by("coder"))).extracting(Budget::id).containsExactly("acme/b0", "acme/b1");
    }

    @Test
    void anUnreadableOneLeavesNothingToItsReach() {
        Budgets budgets = acme("{'per':'team','calls':3,'flag':'sends'}");

        assertThat(budgets.of(READ, by("coder")))
                .containsExactly(new Budget("acme/b0", Per.INSTANCE, Unit.CALLS, 0, false));
    }

    @Test
    void withoutBudgetsNothingIsAsked() {
        assertThat(acme().isEmpty()).isTrue();
        assertThat(acme().of(SEND, by("coder"))).isEmpty();
    }

    private static PolicyTool tool(String name, String bundle, Set<ToolFlag> flags) {
        return new PolicyTool(name, bundle, ToolSource.CONFIG, null, flags, null);
    }

    private static PolicyCaller by(@Nullable String agent) {
        return new PolicyCaller("u1", "c1", agent);
    }

    private static Budgets acme(String... specs) {
        List<ObjectNode> documents = new ArrayList<>();
        documents.add(json("{'apiVersion':'toolfleet.dev/v1','kind':'Agent','metadata':{'name':'coder'},'spec':{}}"));
        for (int i = 0; i < specs.length; i++)
            documents.add(json("{'apiVersion':'toolfleet.dev/v1','kind':'EffectBudget','metadata':{'name':'b" + i
                    + "'},'spec':" + specs[i] + "}"));
        return Budgets.compile(resources(documents));
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));
    }

    private static FleetResources resources(List<ObjectNode> documents) {
        ResourceTable table = new ResourceTable();
        RevisionPlan.of("acme",
                documents.stream().map(document -> new RevisionPlan.Declared(document, Map.of())).toList(), table)
                .entries().forEach(entry -> table.apply(entry.key(), entry.value()));
        return table.view();
    }
}
