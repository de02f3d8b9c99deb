package dev.toolfleet.policy;

import dev.toolfleet.resources.FleetResources;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Bundles of several teams: the reach of their rules (`docs/decisions/0024-whose-policy-holds-where.md`).
class ReachTest {
    private static final String SHELL = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: bash}
            spec: {entry: java:a.B, exports: [{name: exec, group: system}]}
            """;
    private static final PolicyCaller WRITER = new PolicyCaller("u1", "c1", "writer");
    private static final PolicyCaller STRANGER = new PolicyCaller("u1", "c1", "stranger");
    private static final String DENY_ALL = "{tool: \"*\", verdict: deny}";

    @Test
    void aPolicyHoldsForItsOwnAgentsAndItsOwnToolsOnly() {
        Fleet fleet = fleet(Fleet.rules(DENY_ALL));

        assertThat(verdict(fleet, FleetResources.BUILT_IN, "bash__exec", Fleet.CODER)).isEqualTo("deny");
        assertThat(verdict(fleet, "acme", "box__plain", WRITER)).isEqualTo("deny");
        assertThat(verdict(fleet, FleetResources.BUILT_IN, "bash__exec", WRITER)).isEqualTo("allow");
        assertThat(verdict(fleet, "team", "pen__write", WRITER)).isEqualTo("allow");
    }

    @Test
    void aPolicyThatReachesTheFleetRestrictsEverybody() {
        Fleet fleet = fleet(Fleet.acme(Fleet.policyOf("all", """
                reach: fleet
                rules: [{tool: bash__*, verdict: deny}, {tool: pen__write, verdict: require-approval}]""")));

        assertThat(verdict(fleet, FleetResources.BUILT_IN, "bash__exec", WRITER)).isEqualTo("deny");
        assertThat(verdict(fleet, "team", "pen__write", WRITER)).isEqualTo("require-approval");
    }

    @Test
    void nobodyLoosensAnotherTeamsDefaults() {
        Fleet fleet = fleet(Fleet.acme(Fleet.policyOf("all", """
                reach: fleet
                defaultVerdict: allow
                rules: [{tool: "*", verdict: allow}]""")));
        fleet.bundle("team", pens("require-approval"));

        assertThat(verdict(fleet, "team", "pen__write", WRITER)).isEqualTo("require-approval");
        assertThat(verdict(fleet, "team", "pen__write", Fleet.CODER)).isEqualTo("allow");
    }

    @Test
    void theDefaultOfAPolicyThatReachesTheFleetIsLiftedByARuleAtHome() {
        Fleet fleet = fleet(Fleet.acme(Fleet.policyOf("all", "reach: fleet\ndefaultVerdict: deny")));
        assertThat(verdict(fleet, "team", "pen__write", WRITER)).isEqualTo("deny");

        fleet.bundle("team", pens("allow") + "---\n" + Fleet.policy("p", "{tool: pen__write, verdict: allow}"));
        assertThat(verdict(fleet, "team", "pen__write", WRITER)).isEqualTo("allow");
    }

    @Test
    void aFleetWideDefaultIsNotLiftedByAGroupsDefault() {
        Fleet fleet = fleet(Fleet.acme(Fleet.policyOf("all", "reach: fleet\ndefaultVerdict: deny")));
        fleet.bundle("team", pens("allow"));

        assertThat(verdict(fleet, "team", "pen__write", WRITER)).isEqualTo("deny");
    }

    @Test
    void anAgentThatNobodyDeclaresIsRestrictedByEverybody() {
        Fleet fleet = fleet(Fleet.rules(DENY_ALL));

        assertThat(verdict(fleet, "team", "pen__write", STRANGER)).isEqualTo("deny");
        assertThat(verdict(fleet, "team", "pen__write", new PolicyCaller(null, null, null))).isEqualTo("deny");
    }

    @Test
    void anAgentThatNobodyDeclaresIsAllowedNothingByStrangers() {
        Fleet fleet = fleet(Fleet.rules("{tool: \"*\", verdict: allow}"));
        fleet.bundle("team", pens("require-approval"));

        assertThat(verdict(fleet, "team", "pen__write", STRANGER)).isEqualTo("require-approval");
        assertThat(verdict(fleet, "acme", "market__account", STRANGER)).isEqualTo("allow");
    }

    @Test
    void theAgentsBundleSaysWhatAGroupMeansBeforeTheToolsBundle() {
        Fleet fleet = fleet(Fleet.acme(Fleet.group("office", "{defaultPolicy: allow}")));
        fleet.bundle("team", pens("deny"));

        assertThat(verdict(fleet, "team", "pen__write", WRITER)).isEqualTo("deny");
        assertThat(verdict(fleet, "team", "pen__write", Fleet.CODER)).isEqualTo("allow");
    }

    @Test
    void groupsComeIntoForceOnlyWhereABundleHoldsAPolicyOrAGroup() {
        Fleet fleet = fleet(Fleet.rules("{tool: nothing__at-all, verdict: deny}"));

        assertThat(verdict(fleet, FleetResources.BUILT_IN, "bash__exec", Fleet.CODER)).isEqualTo("require-approval");
        assertThat(verdict(fleet, FleetResources.BUILT_IN, "bash__exec", WRITER)).isEqualTo("allow");
    }

    private static Fleet fleet(Fleet acme) {
        return acme.bundle(FleetResources.BUILT_IN, SHELL).bundle("team", pens(null));
    }

    private static String pens(@Nullable String groupDefault) {
        String team = """
                apiVersion: goondan.ai/v1
                kind: Tool
                metadata: {name: pen}
                spec: {entry: java:a.B, exports: [{name: write, group: office}]}
                ---
                apiVersion: goondan.ai/v1
                kind: Agent
                metadata: {name: writer}
                spec: {tools: [Tool/pen]}
                """;
        return groupDefault == null
                ? team
                : team + "---\n" + Fleet.group("office", "{defaultPolicy: " + groupDefault + "}\n");
    }

    private static String verdict(Fleet fleet, String bundle, String tool, PolicyCaller caller) {
        return Fleet.text(fleet.decide(fleet.tool(bundle, tool), caller));
    }
}
