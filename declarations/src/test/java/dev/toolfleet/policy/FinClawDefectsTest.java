package dev.toolfleet.policy;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.PromptInclusion;
import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.bundle.ToolPolicySpec;
import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.GroupInclusion;
import dev.toolfleet.wire.ToolCatalogItem;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The policy defects of the seed's system, one by one. Each test is named after a defect, which is absent here.
class FinClawDefectsTest {
    @Test
    void groupStageReadsNamesInsteadOfGroups() {
        Fleet fleet = Fleet.rules("{group: finance, verdict: deny}");

        assertThat(fleet.verdict("box__get_stock_price")).isEqualTo("deny");
        assertThat(fleet.verdict("box__plain")).isEqualTo("allow");
    }

    @Test
    void aNameThatLooksLikeAGroupIsTakenForTheGroup() {
        String tool = "apiVersion: goondan.ai/v1\nkind: Tool\nmetadata: {name: finance}\n"
                + "spec: {entry: java:a.B, exports: [{name: x, group: system}]}";
        Fleet fleet = Fleet.acme(tool, Fleet.policy("p", "{group: finance, verdict: deny}"));

        assertThat(fleet.verdict("finance__x")).isEqualTo("require-approval");
        assertThat(Fleet.acme(tool, Fleet.policy("p", "{group: system, verdict: deny}")).verdict("finance__x"))
                .isEqualTo("deny");
    }

    @Test
    void groupDefaultsAreNeverConsulted() {
        Fleet fleet = Fleet.rules("{tool: market__quote, verdict: allow}");

        assertThat(fleet.verdict("box__remove")).isEqualTo("require-approval");
        assertThat(fleet.decide("box__remove").verdict().cause().rule()).isEqualTo("shipped/ToolGroup/system");
    }

    /// The defect: a group was in the prompt regardless of its own setting.
    @Test
    void inclusionInThePromptIsNeverRead() {
        Fleet fleet = Fleet.acme(Fleet.group("system", "{includeInPromptWhen: never}"));
        List<ToolCatalogItem> items = AgentTools.items(fleet.resources(), "coder");

        assertThat(items.stream().filter(item -> GroupInclusion.of(fleet.resources(), "acme",
                item) == PromptInclusion.NEVER).map(ToolCatalogItem::name)).containsExactly("box__remove");
    }

    /// The defect: irreversible calls were allowed because their group was.
    @Test
    void theGroupsAllowLetsThroughWhatSendsOrPays() {
        String mail = "apiVersion: goondan.ai/v1\nkind: Tool\nmetadata: {name: mail}\nspec: {entry: java:a.B, exports: "
                + "[{name: send, group: communication, requiresApproval: true}, {name: read, group: communication}]}";
        Fleet fleet = Fleet.acme(mail, Fleet.policy("p", "{tool: nothing__here, verdict: deny}"));

        assertThat(fleet.verdict("mail__read")).isEqualTo("allow");
        assertThat(fleet.verdict("mail__send")).isEqualTo("require-approval");
        assertThat(fleet.verdict("market__quote")).isEqualTo("allow");
        assertThat(fleet.verdict("market__sell")).isEqualTo("require-approval");
    }

    /// The defect: a tool of an MCP server was only in the group of such tools, and never transactional.
    @Test
    void aToolOfAnMcpServerCannotTradeToo() {
        PolicyTool remote = new PolicyTool("broker__sell", "mcp:acme/coder/bridge/broker", "mcp", "finance",
                Set.of(ToolFlag.IS_TRANSACTIONAL), "mcp:acme/coder/bridge/broker");

        assertThat(Fleet.rules("{tool: \"*\", verdict: allow}").decide(remote, Fleet.CODER).verdict().cause().stage())
                .isEqualTo(Stage.FINANCE_SAFETY);
        assertThat(Fleet.text(Fleet.rules("{source: mcp, verdict: deny}").decide(remote, Fleet.CODER)))
                .isEqualTo("deny");
        assertThat(Fleet.text(Fleet.rules("{group: finance, verdict: deny}").decide(remote, Fleet.CODER)))
                .isEqualTo("deny");
    }

    /// The defect: finding a tool's group, and the rules of a call, searched all of them.
    @Test
    void everyEvaluationLooksThroughAllRules() {
        Fleet fleet = Fleet.rules("{tool: box__plain, verdict: deny}", "{tool: market__quote, verdict: deny}");
        List<CompiledRule> rules = fleet.resources().bundles().values().stream()
                .flatMap(bundle -> PolicySource.rules(bundle).stream()).toList();
        RuleIndex index = new RuleIndex(rules);
        Facts facts = Facts.of(PolicyQuery.ofStep(fleet.tool("acme", "box__plain"), Fleet.CODER), "acme");

        List<CompiledRule> first = index.about(facts, Stage.TOOL_POLICY);
        assertThat(first).hasSize(1);
        assertThat(index.about(facts, Stage.TOOL_POLICY)).isSameAs(first);
    }

    @Test
    void requiresApprovalIsNeverRead() {
        assertThat(Fleet.acme().verdict("market__account")).isEqualTo("require-approval");
        assertThat(Fleet.rules("{tool: box__plain, verdict: deny}").verdict("market__account"))
                .isEqualTo("require-approval");
    }

    @Test
    void anApprovalRuleWithAPatternInTheMiddleIsDropped() {
        Fleet fleet = Fleet.rules("{tool: \"box__*_stock_*\", verdict: require-approval}");

        assertThat(fleet.verdict("box__get_stock_price")).isEqualTo("require-approval");
        assertThat(fleet.verdict("box__plain")).isEqualTo("allow");
    }

    @Test
    void anApprovalRuleForAUserIsDropped() {
        Fleet fleet = Fleet.rules("{tool: box__plain, verdict: require-approval, scope: {userId: u1}}");

        assertThat(fleet.verdict("box__plain")).isEqualTo("require-approval");
        assertThat(fleet.verdict("box__plain", Fleet.caller("u2", "c1"))).isEqualTo("allow");
    }

    @Test
    void aScopeWithTwoIdsIsNoConjunction() {
        Fleet fleet = Fleet.rules("{tool: \"*\", verdict: deny, scope: {userId: u1, channelId: other}}",
                "{tool: \"*\", verdict: deny, scope: {userId: u2, channelId: c1}}");

        assertThat(fleet.verdict("box__plain")).isEqualTo("allow");
        assertThat(fleet.verdict("box__plain", Fleet.caller("u1", "other"))).isEqualTo("deny");
        assertThat(fleet.verdict("box__plain", Fleet.caller("u2", "c1"))).isEqualTo("deny");
    }

    @Test
    void anEmptyScopeNeverApplies() {
        assertThatThrownBy(() -> read("{\"tool\": \"*\", \"verdict\": \"deny\", \"scope\": {}}"))
                .isInstanceOf(InvalidResourceException.class).hasMessageContaining("spec.rules[0].scope");
    }

    @Test
    void anUndefinedCallerFitsAScope() {
        Fleet fleet = Fleet.rules("{tool: \"*\", verdict: allow, scope: {userId: u1}}",
                "{tool: box__plain, verdict: deny, scope: {channelId: c1}}");

        PolicyDecision decision = fleet.decide("box__plain", Fleet.caller(null, null));
        assertThat(decision.verdict().cause().stage()).isEqualTo(Stage.DEFAULT_POLICY);
    }

    @Test
    void anAllowOfHigherPriorityHidesADenyOfItsStage() {
        Fleet fleet = Fleet.rules("{tool: \"*\", verdict: allow, priority: 10, scope: {channelId: c1}}",
                "{tool: \"*\", verdict: deny, priority: 5, scope: {channelId: c1}}");

        assertThat(fleet.verdict("box__plain")).isEqualTo("deny");
    }

    @Test
    void aGlobalAllowEndsTheEvaluationBeforeUserChannelAndSafety() {
        String allow = "{tool: \"*\", verdict: allow, priority: 100}";

        assertThat(Fleet.rules(allow, "{tool: \"*\", verdict: deny, scope: {userId: u1}}").verdict("box__plain"))
                .isEqualTo("deny");
        assertThat(Fleet.rules(allow, "{tool: \"*\", verdict: deny, scope: {channelId: c1}}").verdict("box__plain"))
                .isEqualTo("deny");
        assertThat(Fleet.rules(allow).verdict("market__sell")).isEqualTo("require-approval");
    }

    @Test
    void anAllowMeansNothing() {
        Fleet fleet = Fleet.rules("{tool: box__remove, verdict: allow}", "{tool: market__account, verdict: allow}");

        assertThat(fleet.verdict("box__remove")).isEqualTo("allow");
        assertThat(fleet.verdict("market__account")).isEqualTo("allow");
        assertThat(fleet.decide("box__remove").verdict().cause().stage()).isEqualTo(Stage.TOOL_POLICY);
    }

    @Test
    void caseAndBlanksDefeatRules() {
        Fleet fleet = Fleet.rules("{tool: \" BOX__Get_Stock_Price \", verdict: deny}",
                "{group: System, verdict: deny}");

        assertThat(fleet.verdict("box__get_stock_price")).isEqualTo("deny");
        assertThat(fleet.verdict("box__remove")).isEqualTo("deny");
    }

    @Test
    void aFinalAllowSaysThatNoRuleMatched() {
        PolicyDecision decision = Fleet.rules("{id: fine, tool: box__plain, verdict: allow}").decide("box__plain");

        assertThat(decision.verdict().cause()).isEqualTo(new Cause(Stage.TOOL_POLICY,
                Verdict.ALLOW, "acme/p/fine", "Rule fine of ToolPolicy p has the verdict allow."));
    }

    @Test
    void anUnknownToolFallsToAllow() {
        Fleet fleet = Fleet.rules("{tool: box__plain, verdict: allow}");
        PolicyTool ofUnknownGroup = new PolicyTool("x__y", "acme", "config", "finace", Set.of(), null);

        assertThat(Fleet.text(fleet.decide(ofUnknownGroup, Fleet.CODER))).isEqualTo("require-approval");
    }

    /// The defect: unknown users were allowed. Here a rule for a user does not apply without one, and a denied tool
    /// stays denied.
    @Test
    void anUnknownUserAndAMissingContextFallToAllow() {
        Fleet fleet = Fleet.acme(Fleet.policyOf("p", """
                defaultVerdict: deny
                rules: [{tool: box__plain, verdict: allow, scope: {userId: u1}}]"""));

        assertThat(fleet.verdict("box__plain", Fleet.caller("stranger", "c1"))).isEqualTo("deny");
        assertThat(fleet.verdict("box__plain", new PolicyCaller(null, null, null))).isEqualTo("deny");
        assertThat(fleet.verdict("box__plain")).isEqualTo("allow");
    }

    /// The defect: an allow also hid the denial of another scope.
    @Test
    void aScopesDenialIsHiddenByAnAllowOfAnotherScope() {
        Fleet fleet = Fleet.rules("{tool: \"*\", verdict: allow, priority: 10, scope: {userId: u1}}",
                "{tool: box__plain, verdict: deny, scope: {channelId: c1}}");

        assertThat(fleet.verdict("box__plain")).isEqualTo("deny");
    }

    /// The defect: a denied caller learnt a tool's schema from the errors about its arguments. Here policy reads
    /// arguments unchecked, whatever the schema is, so it needs no check before. The worker's pipeline evaluates it
    /// first, and its reasons are those of rules.
    @Test
    void argumentsTakePartInTheVerdict() {
        assertThat(Stream.of(PolicyQuery.class, PolicyTool.class, PolicyCaller.class)
                .flatMap(type -> Stream.of(type.getRecordComponents())).map(RecordComponent::getName))
                .containsExactlyInAnyOrder("tool", "caller", "arguments", "labels", "name", "bundle", "source", "group",
                        "flags",
                        "entry", "userId",
                        "channelId", "agentName");
    }

    @Test
    void aDenialByArgumentsNamesTheRuleAndNothingOfTheSchema() {
        Fleet fleet = Fleet
                .rules("{id: most, tool: market__quote, verdict: deny, when: {args: [{path: /n, greaterThan: 5}]}}");

        assertThat(fleet.call("market__quote", "{\"wrong\": 1}").verdict().cause().reason()).isEqualTo(
                "Rule most of ToolPolicy p has the verdict deny when {\"greaterThan\":5,\"path\":\"/n\"}, or when the"
                        + " arguments leave it undecided.");
    }

    @Test
    void anUnknownVerdictCountsAsContinue() {
        assertThatThrownBy(() -> read("{\"tool\": \"*\", \"verdict\": \"denny\"}"))
                .isInstanceOf(InvalidResourceException.class).hasMessageContaining("denny");
        assertThatThrownBy(() -> read("{\"tool\": \"*\"}")).isInstanceOf(InvalidResourceException.class)
                .hasMessageContaining("spec.rules[0].verdict");
    }

    @Test
    void aPriorityThatIsNoNumberBreaksTheOrder() {
        for (String priority : List.of("\"high\"", "\"NaN\"", "0.5", "1e400", "99999999999"))
            assertThatThrownBy(() -> read("{\"tool\": \"*\", \"verdict\": \"deny\", \"priority\": " + priority + "}"))
                    .as(priority).isInstanceOf(InvalidResourceException.class)
                    .hasMessageContaining("spec.rules[0].priority");
    }

    @Test
    void noDigestIsAttachedAndStageResultsAreDiscarded() {
        Fleet fleet = Fleet.rules("{tool: box__plain, verdict: deny}");
        PolicyDecision decision = fleet.decide("box__plain");

        assertThat(decision.policyDigest()).startsWith("sha256:").isEqualTo(fleet.policy().digest());
        assertThat(decision.stages()).hasSize(Stage.values().length);
    }

    @Test
    void anEmptyAllowListMeansAllowAll() {
        for (String nothing : List.of("\"tool\": []", "\"tool\": null", "\"group\": []",
                "\"tool\": \"*\", \"flag\": []"))
            assertThatThrownBy(() -> read("{" + nothing + ", \"verdict\": \"allow\"}")).as(nothing)
                    .isInstanceOf(InvalidResourceException.class);
    }

    private static ToolPolicySpec read(String rule) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("kind", "ToolPolicy");
        resource.putObject("metadata").put("name", "p");
        resource.putObject("spec").putArray("rules").add(Json.MAPPER.readTree(rule));
        return ToolPolicySpec.of(resource);
    }
}
