package dev.toolfleet.bundle;

import dev.toolfleet.bundle.EffectBudgetSpec.Per;
import dev.toolfleet.bundle.EffectBudgetSpec.Unit;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EffectBudgetSpecTest {
    @Test
    void aBudgetIsRead() {
        EffectBudgetSpec spec = EffectBudgetSpec.of(budget("{'per':'turn','cost':12,'flag':'sends','reach':'fleet'}"));

        assertThat(spec).isEqualTo(new EffectBudgetSpec("mails", Reach.FLEET, RuleSelector.ofFlag(ToolFlag.SENDS),
                Per.TURN, Unit.COST, 12));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "{'per':'session','calls':1,'tool':'*'} | spec.per",
            "{'calls':1,'tool':'*'} | spec.per",
            "{'per':'turn','tool':'*'} | either calls or cost",
            "{'per':'turn','calls':1,'cost':1,'tool':'*'} | either calls or cost",
            "{'per':'turn','calls':-1,'tool':'*'} | at least 0",
            "{'per':'turn','calls':1} | selects something",
            "{'per':'turn','calls':1,'tool':'*','window':'1h'} | window"})
    void anotherFormIsRefusedWithItsPlace(String spec, String place) {
        assertThatThrownBy(() -> EffectBudgetSpec.of(budget(spec))).isInstanceOf(InvalidResourceException.class)
                .hasMessageContaining("EffectBudget/mails").hasMessageContaining(place);
    }

    private static ObjectNode budget(String spec) {
        return (ObjectNode) Json.MAPPER.readTree(
                ("{'kind':'EffectBudget','metadata':{'name':'mails'},'spec':" + spec + "}").replace('\'', '"'));
    }
}
