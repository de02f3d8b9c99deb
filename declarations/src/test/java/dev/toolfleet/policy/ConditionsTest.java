package dev.toolfleet.policy;

import java.util.List;
import java.util.Set;

import dev.toolfleet.json.Json;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.wire.ToolCatalogItem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Rules with conditions on arguments. `box__plain` is allowed by default, `box__remove` needs approval by default.
class ConditionsTest {
    private static final String SMALL = "when: {args: [{path: /n, lessThan: 10}]}";

    /// Met, not met, missing, of another type.
    @ParameterizedTest
    @CsvSource({"allow, box__remove, allow, require-approval, require-approval, require-approval",
            "deny, box__plain, deny, allow, deny, deny",
            "require-approval, box__plain, require-approval, allow, require-approval, require-approval"})
    void whatIsUndecidedCountsAgainstTheCall(String verdict, String tool, String met, String notMet, String missing,
            String other) {
        Fleet fleet = Fleet.rules("{tool: " + tool + ", verdict: " + verdict + ", " + SMALL + "}");

        assertThat(call(fleet, tool, "{\"n\": 5}")).isEqualTo(met);
        assertThat(call(fleet, tool, "{\"n\": 50}")).isEqualTo(notMet);
        assertThat(call(fleet, tool, "{}")).isEqualTo(missing);
        assertThat(call(fleet, tool, "{\"n\": \"5\"}")).isEqualTo(other);
    }

    @Test
    void anAllowThatIsUndecidedLiftsNoDenialByDefault() {
        Fleet fleet = closed("{tool: box__plain, verdict: allow, " + SMALL + "}");

        assertThat(call(fleet, "box__plain", "{\"n\": 5}")).isEqualTo("allow");
        assertThat(call(fleet, "box__plain", "{}")).isEqualTo("deny");
        assertThat(call(fleet, "box__plain", "{\"n\": null}")).isEqualTo("deny");
    }

    @Test
    void anApprovalThatIsUndecidedLiftsNoDenialByDefault() {
        Fleet fleet = closed("{tool: box__plain, verdict: require-approval, " + SMALL + "}");

        assertThat(call(fleet, "box__plain", "{\"n\": 5}")).isEqualTo("require-approval");
        assertThat(call(fleet, "box__plain", "{}")).isEqualTo("deny");
        assertThat(call(fleet, "box__plain", "{\"n\": 50}")).isEqualTo("deny");
    }

    @Test
    void anAllowBehindAnUndecidedApprovalOfItsStageStillLiftsTheDefault() {
        Fleet fleet = closed("{tool: box__plain, verdict: require-approval, " + SMALL + "}",
                "{tool: box__plain, verdict: allow}");

        assertThat(call(fleet, "box__plain", "{}")).isEqualTo("require-approval");
    }

    @Test
    void anAbsentArgumentIsExemptedByAConditionThatItExists() {
        Fleet fleet = Fleet.rules("{tool: box__plain, verdict: deny, when: {args: [{path: /cwd, exists: true},"
                + " {path: /cwd, glob: \"/etc*\"}]}}");

        assertThat(call(fleet, "box__plain", "{}")).isEqualTo("allow");
        assertThat(call(fleet, "box__plain", "{\"cwd\": \"/etc\"}")).isEqualTo("deny");
        assertThat(call(fleet, "box__plain", "{\"cwd\": 7}")).isEqualTo("deny");
        assertThat(call(fleet, "box__plain", "{\"cwd\": \"/srv\"}")).isEqualTo("allow");
    }

    @Test
    void noConditionLiftsWhatMovesMoney() {
        Fleet fleet = Fleet.rules("{tool: market__sell, verdict: allow, " + SMALL + "}");

        assertThat(call(fleet, "market__sell", "{\"n\": 5}")).isEqualTo("require-approval");
    }

    @Test
    void conditionsNarrowARuleAndMoveItNowhere() {
        Fleet fleet = Fleet.rules("{tool: \"*\", verdict: deny, " + SMALL + "}");

        assertThat(fleet.call("box__plain", "{\"n\": 5}").verdict().cause().stage()).isEqualTo(Stage.GLOBAL_DENY);
    }

    @Test
    void aCatalogShowsWhatSomeArgumentsAllow() {
        Fleet fleet = Fleet.acme(Fleet.policyOf("p", """
                defaultVerdict: deny
                rules:
                - {tool: box__plain, verdict: allow, when: {args: [{path: /n, lessThan: 10}]}}
                - {tool: market__quote, verdict: require-approval, when: {args: [{path: /n, lessThan: 10}]}}
                - {tool: market__account, verdict: allow}
                - {tool: market__account, verdict: deny, when: {args: [{path: /n, lessThan: 10}]}}
                - {tool: market__sell, verdict: allow, when: {args: [{path: /n, lessThan: 10}]}}
                - {tool: market__sell, verdict: deny}"""),
                Fleet.group("finance", "{defaultPolicy: deny}"));

        assertThat(shown(fleet)).contains("box__plain", "market__quote", "market__account")
                .doesNotContain("market__sell");
    }

    /// Hides no tool that may be allowed, and shows none whose every call would be denied.
    @Test
    void aStepIsDeniedOnlyWhatACallIsDeniedWhateverItsArguments() {
        for (String rules : List.of("{tool: box__plain, verdict: deny, " + SMALL + "}",
                "{tool: box__plain, verdict: allow, " + SMALL + "}",
                "{tool: box__plain, verdict: require-approval, " + SMALL + "}")) {
            for (Fleet fleet : List.of(Fleet.rules(rules), closed(rules))) {
                boolean some = List.of("{}", "{\"n\": 5}", "{\"n\": 50}").stream()
                        .anyMatch(args -> !fleet.call("box__plain", args).denied());
                assertThat(fleet.decide("box__plain").denied()).as(rules).isEqualTo(!some);
            }
        }
    }

    @Test
    void whatEachConditionComesToIsTold() {
        Fleet fleet = Fleet.rules("{id: both, tool: box__plain, verdict: deny, when: {args: [{path: /n, lessThan: 10},"
                + " {path: /to, exists: true}]}}", "{tool: box__remove, verdict: deny, " + SMALL + "}");
        PolicyQuery query = new PolicyQuery(fleet.tool("acme", "box__plain"), Fleet.CODER,
                Json.MAPPER.readTree("{\"to\": 1}"));

        List<RuleCheck> checks = fleet.policy().conditional(query, Fleet.NOW);
        assertThat(checks).hasSize(1);
        assertThat(checks.getFirst().counts()).isTrue();
        assertThat(checks.getFirst().conditions()).extracting(RuleCheck.Checked::outcome)
                .containsExactly("undecided: nothing is at /n", "met");
        assertThat(fleet.policy().conditional(PolicyQuery.ofStep(query.tool(), query.caller()), Fleet.NOW).getFirst()
                .conditions()).extracting(RuleCheck.Checked::outcome).containsOnly("unknown");
    }

    @Test
    void conditionsBelongToTheIdAndToTheDigest() {
        Fleet one = Fleet.rules("{tool: box__plain, verdict: deny, " + SMALL + "}");
        Fleet other = Fleet.rules("{tool: box__plain, verdict: deny, " + SMALL.replace("10", "11") + "}");

        assertThat(other.policy().digest()).isNotEqualTo(one.policy().digest());
        assertThat(other.call("box__plain", "{}").verdict().cause().rule())
                .isNotEqualTo(one.call("box__plain", "{}").verdict().cause().rule());
    }

    private static Fleet closed(String... rules) {
        return Fleet.acme(Fleet.policyOf("p", "defaultVerdict: deny\nrules:\n- " + String.join("\n- ", rules)));
    }

    private static String call(Fleet fleet, String tool, String arguments) {
        return Fleet.text(fleet.call(tool, arguments));
    }

    private static List<String> shown(Fleet fleet) {
        return StepTools.of(fleet.policy(), fleet.resources(), Fleet.CODER, Set.of(),
                AgentTools.items(fleet.resources(), "coder"), Fleet.NOW).items().stream().map(ToolCatalogItem::name)
                .toList();
    }
}
