package dev.toolfleet.policy;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.OperatorSwitch;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// The operator's switch, as policy sees it.
class OperatorDenialTest {
    private static final String ALLOW_ALL = "{tool: \"*\", verdict: allow, priority: 2147483647}";
    private static final Instant UNTIL = Instant.parse("2026-11-21T21:00:00Z");

    @Test
    void whatIsSwitchedOffIsDeniedToEverybodyWhateverRulesSay() {
        Fleet fleet = Fleet.rules(ALLOW_ALL).deny("market__*");

        for (PolicyCaller caller : List.of(Fleet.CODER, new PolicyCaller(null, null, null),
                new PolicyCaller("u9", "c9", "stranger")))
            assertThat(fleet.verdict("market__quote", caller)).isEqualTo("deny");
        assertThat(fleet.verdict("box__plain")).isEqualTo("allow");
    }

    @Test
    void itIsTheDecidingRuleAndSaysWhoWhyAndUntil() {
        Fleet fleet = Fleet.rules("{tool: \"*\", verdict: deny, priority: 2147483646}").deny("Market__QUOTE");

        Cause cause = fleet.decide("market__quote").verdict().cause();
        assertThat(cause.stage()).isEqualTo(Stage.GLOBAL_DENY);
        assertThat(cause.rule()).isEqualTo("@toolfleet/operator/deny/market__quote");
        assertThat(cause.reason())
                .isEqualTo("Switched off until 2026-11-21T21:00:00Z by ada: Under attack.");
        assertThat(fleet.policy().matching(Stage.GLOBAL_DENY,
                PolicyQuery.ofStep(fleet.tool("acme", "market__quote"), Fleet.CODER), Fleet.NOW)).hasSize(2);
    }

    @Test
    void itEndsByTheClockWithoutAnyRecord() {
        Fleet fleet = Fleet.rules(ALLOW_ALL).deny("box__plain", UNTIL);
        Policy policy = fleet.policy();
        PolicyQuery query = PolicyQuery.ofStep(fleet.tool("acme", "box__plain"), Fleet.CODER);

        assertThat(policy.decide(query, UNTIL.minusNanos(1)).denied()).isTrue();
        assertThat(Fleet.text(policy.decide(query, UNTIL))).isEqualTo("allow");
        assertThat(policy.decide(query, Instant.MIN).denied()).isTrue();
    }

    @Test
    void catalogsShowTheToolAgainOnceItHasEnded() {
        Fleet fleet = Fleet.acme().deny("box__*", UNTIL);

        assertThat(names(fleet, Fleet.NOW)).isNotEmpty().noneMatch(name -> name.startsWith("box__"));
        assertThat(names(fleet, UNTIL)).anyMatch(name -> name.startsWith("box__"));
    }

    @Test
    void whatIsLiftedIsAsItWas() {
        Fleet fleet = Fleet.rules(ALLOW_ALL);
        String digest = fleet.policy().digest();
        PolicyDecision before = fleet.decide("box__plain");

        assertThat(fleet.deny("box__plain").policy().digest()).isNotEqualTo(digest);
        assertThat(fleet.lift("box__plain").decide("box__plain")).isEqualTo(before);
        assertThat(fleet.policy().digest()).isEqualTo(digest);
    }

    @Test
    void itBringsNoGroupsDefaultsIntoForce() {
        assertThat(Fleet.acme().verdict("box__remove", new PolicyCaller(null, null, null))).isEqualTo("allow");

        Fleet fleet = Fleet.acme().deny("market__quote");
        assertThat(fleet.verdict("box__remove", new PolicyCaller(null, null, null))).isEqualTo("allow");
        assertThat(fleet.verdict("box__remove")).isEqualTo("allow");
        assertThat(fleet.policy().isEmpty()).isFalse();
    }

    @Test
    void whatCannotBeReadDeniesEverything() {
        ObjectNode broken = OperatorDenial.of("x__*", "", "ada",
                Fleet.NOW, UNTIL).json();
        broken.withObject("spec").put("until", "tomorrow");
        ResourceTable table = new ResourceTable();
        OperatorSwitch.deny(OperatorDenial.of("x__*", "", "ada",
                Fleet.NOW, UNTIL), table, Fleet.NOW).entries().forEach(entry -> table.apply(entry.key(),
                        entry.value() != null && entry.key().contains("OperatorDenial")
                                ? new ResourceRecord(entry.value().bundle(), 1,
                                        new ToolSource(ToolSource.OPERATOR, "x__*"), broken, entry.value().files(),
                                        null)
                                : entry.value()));

        Policy policy = Policy.compile(table.view());
        PolicyDecision decision = policy.decide(
                PolicyQuery.ofStep(Fleet.acme().tool("acme", "box__plain"), Fleet.CODER),
                UNTIL.plusSeconds(1));
        assertThat(decision.denied()).isTrue();
        assertThat(decision.verdict().cause().reason()).contains("cannot be read here");
    }

    private static List<String> names(Fleet fleet, Instant now) {
        FleetResources resources = fleet.resources();
        return StepTools.of(fleet.policy(), resources, Fleet.CODER, Set.of(), AgentTools.items(resources, "coder"), now)
                .items()
                .stream().map(ToolCatalogItem::name).toList();
    }
}
