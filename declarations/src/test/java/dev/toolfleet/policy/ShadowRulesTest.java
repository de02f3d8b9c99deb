package dev.toolfleet.policy;

import java.util.List;

import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Rules with `mode: shadow`. `box__plain` is allowed by default, `box__remove` needs approval by the default of its
/// group.
class ShadowRulesTest {
    private static final String ENFORCED = "{id: other, tool: market__quote, verdict: allow}";

    @Test
    void eachVerdictIsTheOneThatThePolicyWouldHaveWithTheRule() {
        Fleet fleet = Fleet.rules(ENFORCED, "{id: no, tool: \"box__*\", verdict: deny, mode: shadow}",
                "{id: ask, tool: box__plain, verdict: require-approval, mode: shadow}",
                "{id: yes, tool: box__remove, verdict: allow, mode: shadow}");

        assertThat(fleet.verdict("box__plain")).isEqualTo("allow");
        assertThat(shadows(fleet, "box__plain", "{}")).containsExactly("acme/p/no DENY true",
                "acme/p/ask REQUIRE_APPROVAL true");
        assertThat(fleet.verdict("box__remove")).isEqualTo("require-approval");
        assertThat(shadows(fleet, "box__remove", "{}")).containsExactly("acme/p/no DENY true", "acme/p/yes ALLOW true");
        assertThat(shadows(fleet, "market__quote", "{}")).isEmpty();
    }

    @Test
    void aRuleThatWouldChangeNothingIsMarkedSo() {
        Fleet fleet = Fleet.rules("{id: wall, tool: box__plain, verdict: deny}",
                "{id: yes, tool: box__plain, verdict: allow, mode: shadow}",
                "{id: no, tool: box__plain, verdict: deny, mode: shadow}");

        assertThat(shadows(fleet, "box__plain", "{}")).containsExactly("acme/p/no DENY false", "acme/p/yes DENY false");
        assertThat(fleet.decide("box__plain").verdict().cause().rule()).isEqualTo("acme/p/wall");
    }

    @Test
    void anAllowInShadowLiftsADefaultInItsVerdictOnly() {
        Fleet fleet = Fleet.acme(Fleet.policyOf("p", """
                defaultVerdict: deny
                rules: [{id: yes, tool: box__plain, verdict: allow, mode: shadow}]
                """));

        assertThat(fleet.verdict("box__plain")).isEqualTo("deny");
        assertThat(shadows(fleet, "box__plain", "{}")).containsExactly("acme/p/yes ALLOW true");
    }

    @Test
    void conditionsAndScopesCountInShadowToo() {
        Fleet fleet = Fleet.rules(ENFORCED,
                "{id: big, tool: box__plain, verdict: deny, mode: shadow, when: {args: [{path: /n, greaterThan: 10}]}}",
                "{id: ben, tool: box__plain, verdict: deny, mode: shadow, scope: {userId: ben}}");

        assertThat(shadows(fleet, "box__plain", "{\"n\": 5}")).isEmpty();
        assertThat(shadows(fleet, "box__plain", "{\"n\": 50}")).containsExactly("acme/p/big DENY true");
        assertThat(shadows(fleet, "box__plain", "{}")).as("undecided").containsExactly("acme/p/big DENY true");
        assertThat(fleet.policy().conditional(query(fleet, "box__plain", "{}"), Fleet.NOW)).singleElement()
                .satisfies(check -> assertThat(check.shadow()).isTrue());
    }

    @Test
    void aPolicyOfShadowRulesAloneBringsNoDefaultIntoForce() {
        Fleet bare = Fleet.acme();
        Fleet shadow = Fleet.rules("{id: no, tool: box__plain, verdict: deny, mode: shadow}");

        assertThat(bare.verdict("box__remove")).isEqualTo("allow");
        assertThat(shadow.verdict("box__remove")).isEqualTo("allow");
        assertThat(Fleet.rules(ENFORCED).verdict("box__remove")).isEqualTo("require-approval");
        assertThat(shadow.policy().digest()).as("verdicts in shadow name their policy")
                .isNotEqualTo(bare.policy().digest());
    }

    @Test
    void theDigestTellsModesApart() {
        String rule = "{tool: box__plain, verdict: deny";

        assertThat(Fleet.rules(rule + ", mode: shadow}").policy().digest())
                .isNotEqualTo(Fleet.rules(rule + "}").policy().digest());
        assertThat(Fleet.rules(rule + ", mode: enforce}").policy().digest())
                .isEqualTo(Fleet.rules(rule + "}").policy().digest());
    }

    @Test
    void aCallerIsReducedToTheIdsThatRulesName() {
        Fleet fleet = Fleet.rules("{tool: box__plain, verdict: deny, mode: shadow, scope: {userId: u1}}",
                "{tool: box__plain, verdict: deny, scope: {channelId: [c1, c2]}}");

        assertThat(fleet.policy().distinct(new PolicyCaller("u1", "c2", "coder")))
                .isEqualTo(new PolicyCaller("u1", "c2", "coder"));
        assertThat(fleet.policy().distinct(new PolicyCaller("u7", "c9", "stranger")))
                .isEqualTo(new PolicyCaller(null, null, "stranger"));
    }

    private static PolicyQuery query(Fleet fleet, String tool, String arguments) {
        return new PolicyQuery(fleet.tool("acme", tool), Fleet.CODER, Json.MAPPER.readTree(arguments));
    }

    /// Rule, verdict and change of each shadow rule.
    private static List<String> shadows(Fleet fleet, String tool, String arguments) {
        PolicyQuery query = query(fleet, tool, arguments);
        return fleet.policy().shadows(query, fleet.policy().decide(query, Fleet.NOW), Fleet.NOW).stream()
                .map(shadow -> {
                    Verdict would = shadow.would();
                    return shadow.cause().rule() + " " + would + " " + shadow.changes();
                }).toList();
    }
}
