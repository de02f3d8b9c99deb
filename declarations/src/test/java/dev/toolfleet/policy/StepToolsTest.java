package dev.toolfleet.policy;

import java.util.List;
import java.util.Set;

import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.wire.ToolCatalogItem;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StepToolsTest {
    @Test
    void whatIsDeniedIsNotShownAndTheRestKeepsItsOrder() {
        Fleet fleet = Fleet.rules("{tool: market__quote, verdict: deny}", "{flag: destructive, verdict: deny}");

        assertThat(shown(fleet, Fleet.CODER)).containsExactly("market__sell", "market__account", "box__plain",
                "box__get_stock_price");
    }

    @Test
    void theFactsOfTheStepDecide() {
        Fleet fleet = Fleet.rules("{group: finance, verdict: deny, scope: {userId: u1, channelId: c1}}");

        assertThat(shown(fleet, Fleet.CODER)).containsExactly("box__plain", "box__remove");
        assertThat(shown(fleet, Fleet.caller("u1", "c2"))).hasSize(6);
    }

    @Test
    void theDigestIsThereOnceABundleHoldsAPolicy() {
        assertThat(tools(Fleet.acme(), Fleet.CODER).policyDigest()).isEmpty();

        Fleet fleet = Fleet.rules("{tool: market__quote, verdict: deny}");
        assertThat(tools(fleet, Fleet.CODER).policyDigest()).contains(fleet.policy().digest());
    }

    private static List<String> shown(Fleet fleet, PolicyCaller caller) {
        return tools(fleet, caller).items().stream().map(ToolCatalogItem::name).toList();
    }

    private static StepTools tools(Fleet fleet, PolicyCaller caller) {
        return StepTools.of(fleet.policy(), fleet.resources(), caller, Set.of(),
                AgentTools.items(fleet.resources(), "coder"),
                Fleet.NOW);
    }
}
