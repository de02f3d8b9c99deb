package dev.toolfleet.policy;

import java.util.Set;

import dev.toolfleet.bundle.ToolFlag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DefaultsTest {
    private static final String NO_RULES = Fleet.policyOf("p", "defaultVerdict: deny");

    @Test
    void withoutAPolicyOnlyTheExportsOwnFlagsCount() {
        Fleet fleet = Fleet.acme();

        assertThat(fleet.verdict("box__remove")).isEqualTo("allow");
        assertThat(fleet.verdict("market__account")).isEqualTo("require-approval");
        assertThat(fleet.verdict("market__sell")).isEqualTo("require-approval");
        assertThat(fleet.policy().isEmpty()).isTrue();
    }

    @Test
    void theGroupsDefaultComesBeforeThePolicysOwn() {
        Fleet fleet = Fleet.acme(NO_RULES);

        assertThat(fleet.verdict("market__quote")).isEqualTo("allow");
        assertThat(fleet.verdict("box__plain")).isEqualTo("deny");
    }

    @Test
    void anAllowLiftsADefaultDenial() {
        Fleet fleet = Fleet.acme(NO_RULES, Fleet.policy("q", "{flag: readOnly, verdict: allow}"));

        assertThat(fleet.verdict("box__plain")).isEqualTo("allow");
    }

    @Test
    void theStricterOfGroupAndExportCounts() {
        Fleet fleet = Fleet.acme(Fleet.group("finance", "{defaultPolicy: deny}"));
        assertThat(fleet.verdict("market__account")).isEqualTo("deny");

        fleet = Fleet.acme(Fleet.group("finance", "{defaultPolicy: allow}"));
        assertThat(fleet.verdict("market__account")).isEqualTo("require-approval");
    }

    @Test
    void theStrictestOfSeveralPoliciesDefaultsCounts() {
        Fleet fleet = Fleet.acme(Fleet.policyOf("a", "defaultVerdict: allow"),
                Fleet.policyOf("b", "defaultVerdict: require-approval"));

        assertThat(fleet.verdict("box__plain")).isEqualTo("require-approval");
        assertThat(fleet.decide("box__plain").verdict().cause().rule()).isEqualTo("acme/b/defaultVerdict");
    }

    @Test
    void aGroupThatNobodyDeclaresIsLikeCustom() {
        PolicyTool odd = new PolicyTool("x__y", "acme", "config", "odd", Set.of(), null);

        assertThat(Fleet.text(Fleet.acme(NO_RULES).decide(odd, Fleet.CODER))).isEqualTo("require-approval");
        assertThat(Fleet.text(
                Fleet.acme(NO_RULES, Fleet.group("custom", "{defaultPolicy: deny}")).decide(odd, Fleet.CODER)))
                .isEqualTo("deny");
        assertThat(Fleet.text(Fleet.acme().decide(odd, Fleet.CODER))).isEqualTo("allow");
    }

    @Test
    void aToolOfAnMcpServerHasTheDefaultOfMcp() {
        PolicyTool remote = new PolicyTool("fs__write", "@mcp/fs", "mcp", "mcp", Set.of(), null);

        assertThat(Fleet.text(Fleet.rules("{source: mcp, verdict: deny}").decide(remote, Fleet.CODER)))
                .isEqualTo("deny");
        assertThat(Fleet.text(Fleet.rules("{source: config, verdict: deny}").decide(remote, Fleet.CODER)))
                .isEqualTo("require-approval");
    }

    @Test
    void theSafetyStageIsLiftedByNoRule() {
        Fleet fleet = Fleet.rules("{tool: market__sell, verdict: allow, priority: 1000}",
                "{tool: \"*\", verdict: allow, scope: {userId: u1}}");

        assertThat(fleet.verdict("market__sell")).isEqualTo("require-approval");
        assertThat(fleet.decide("market__sell").verdict().cause().rule()).isEqualTo("finance-safety/isTransactional");
    }

    @Test
    void whatMovesMoneyIsNoEasierToCallThanWhatDoesNot() {
        Fleet fleet = Fleet.acme(Fleet.policyOf("p", "defaultVerdict: deny"),
                Fleet.group("finance", "{defaultPolicy: deny}"));

        assertThat(fleet.verdict("market__quote")).isEqualTo("deny");
        assertThat(fleet.verdict("market__sell")).isEqualTo("deny");
    }

    @Test
    void whatCannotBeReadIsDenied() {
        Fleet fleet = Fleet.acme(Fleet.policyOf("p", "rules: [{tool: \"*\", verdict: allow, since: tomorrow}]"));
        assertThat(fleet.verdict("box__plain")).isEqualTo("deny");
        assertThat(fleet.decide("box__plain").verdict().cause().reason()).contains("ToolPolicy p of bundle acme");

        fleet = Fleet.acme(Fleet.group("finance", "{defaultPolicy: never}"));
        assertThat(fleet.verdict("market__quote")).isEqualTo("deny");
        assertThat(fleet.verdict("box__plain")).isEqualTo("allow");
    }

    @Test
    void aToolWithoutADeclarationAsksUnlessARuleAllowsIt() {
        PolicyTool tool = new PolicyTool("x__y", "gone", "extension", null, Set.of(ToolFlag.REQUIRES_APPROVAL), null);

        assertThat(Fleet.text(Fleet.acme().decide(tool, Fleet.CODER))).isEqualTo("require-approval");
        assertThat(Fleet.text(Fleet.rules("{source: plugin, verdict: allow}").decide(tool, Fleet.CODER)))
                .isEqualTo("allow");
    }
}
