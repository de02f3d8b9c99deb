package dev.toolfleet.bundle;

import java.util.List;
import java.util.Set;

import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ToolPolicySpecTest {
    @Test
    void aPolicyIsReadFromItsJson() {
        ToolPolicySpec policy = policy("""
                {"reach": "fleet", "defaultVerdict": "require-approval", "rules": [
                  {"id": "night", "tool": ["bash__*", "Box__x"], "group": "System", "source": "skill",
                   "flag": ["destructive", "openWorld"], "verdict": "deny", "reason": " Not at night. ", "priority": 7,
                   "scope": {"userId": ["u1", "u2"], "channelId": "c1", "agentName": "coder"}}]}""");

        assertThat(policy.reach()).isEqualTo(Reach.FLEET);
        assertThat(policy.defaultVerdict()).contains(Verdict.REQUIRE_APPROVAL);
        assertThat(policy.rules()).containsExactly(new PolicyRule("night",
                new RuleSelector(List.of(Glob.of("bash__*"), Glob.of("box__x")), List.of(), Set.of("system"),
                        Set.of(RuleSource.EXTENSION), Set.of(ToolFlag.DESTRUCTIVE, ToolFlag.OPEN_WORLD)),
                new RuleScope(Set.of("u1", "u2"), Set.of("c1"), Set.of("coder")), Verdict.DENY, "Not at night.", 7));
    }

    @Test
    void whatItDoesNotSayHasItsDefault() {
        ToolPolicySpec policy = policy("{\"rules\": [{\"tool\": \"*\", \"verdict\": \"allow\"}]}");

        assertThat(policy.reach()).isEqualTo(Reach.BUNDLE);
        assertThat(policy.defaultVerdict()).isEmpty();
        PolicyRule rule = policy.rules().getFirst();
        assertThat(rule.scope()).isEqualTo(RuleScope.ALL);
        assertThat(rule.priority()).isZero();
        assertThat(rule.id()).startsWith("rule-");
        assertThat(rule.text()).isEqualTo("allow tool=*");
    }

    @Test
    void aRuleMaySayHowManyPeopleApproveAndThatTheRequesterIsNone() {
        PolicyRule rule = policy("""
                {"rules": [{"tool": "*", "verdict": "require-approval",
                  "approvals": {"quorum": 2, "notRequester": true}}]}""").rules().getFirst();
        PolicyRule plain = policy("{\"rules\": [{\"tool\": \"*\", \"verdict\": \"require-approval\"}]}").rules()
                .getFirst();

        assertThat(rule.approvals()).isEqualTo(new ApprovalTerms(2, true));
        assertThat(rule.text()).isEqualTo("require-approval tool=* quorum=2 notRequester");
        assertThat(plain.approvals()).isEqualTo(ApprovalTerms.ONE);
        assertThat(rule.id()).as("another rule").isNotEqualTo(plain.id());
    }

    @Test
    void theIdThatARuleGetsDependsOnWhatItSaysAndNotOnItsPlaceOrReason() {
        List<PolicyRule> rules = policy("""
                {"rules": [{"tool": ["b__x", "a__y"], "verdict": "deny"}, {"tool": "a__y", "verdict": "deny"},
                  {"tool": ["a__y", "b__x"], "verdict": "deny", "reason": "other words", "priority": 3}]}""").rules();

        assertThat(rules.get(0).id()).isEqualTo(rules.get(2).id()).isNotEqualTo(rules.get(1).id());
    }

    @Test
    void aRuleKeepsItsIdWhenItIsEnforced() {
        List<PolicyRule> rules = policy("""
                {"rules": [{"tool": "b__x", "verdict": "deny", "mode": "shadow"},
                  {"tool": "b__x", "verdict": "deny", "mode": "enforce"}, {"tool": "b__x", "verdict": "deny"}]}""")
                .rules();

        assertThat(rules).extracting(PolicyRule::isShadow).containsExactly(true, false, false);
        assertThat(rules).extracting(PolicyRule::id).containsOnly(rules.getFirst().id());
        assertThat(rules).extracting(PolicyRule::text).containsExactly("deny tool=b__x mode=shadow", "deny tool=b__x",
                "deny tool=b__x");
        assertThat(rules.getFirst().enforced()).isEqualTo(rules.getLast());
    }

    @Test
    void aPolicyOfShadowRulesAloneIsInShadow() {
        assertThat(policy("{\"rules\": [{\"tool\": \"*\", \"verdict\": \"deny\", \"mode\": \"shadow\"}]}").isShadow())
                .isTrue();
        assertThat(policy("""
                {"rules": [{"tool": "*", "verdict": "deny", "mode": "shadow"}, {"tool": "*", "verdict": "deny"}]}""")
                .isShadow()).isFalse();
        assertThat(policy("""
                {"defaultVerdict": "allow", "rules": [{"tool": "*", "verdict": "deny", "mode": "shadow"}]}""")
                .isShadow())
                .isFalse();
        assertThat(policy("{\"rules\": []}").isShadow()).isFalse();
    }

    @Test
    void anEntryBelongsToTheTextAndSoToTheIdOfARule() {
        List<PolicyRule> rules = policy("""
                {"rules": [{"entry": ["java:com.acme.*", "./lib/a.jar#A"], "verdict": "deny"},
                  {"entry": "java:com.acme.*", "tool": "*", "verdict": "deny"}]}""").rules();

        assertThat(rules.getFirst().text()).isEqualTo("deny entry=java:com.acme.*,lib/a.jar#A");
        assertThat(rules.getFirst().id()).isNotEqualTo(rules.getLast().id());
        assertThat(rules.getFirst().covers(rules.getLast())).isTrue();
        assertThat(rules.getLast().covers(rules.getFirst())).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{\"defaultVerdict\": \"ask\"} | spec.defaultVerdict",
            "{\"verdict\": \"deny\"} | spec.verdict", "{\"reach\": \"world\"} | spec.reach",
            "{\"rules\": {}} | spec.rules", "{\"rules\": [7]} | spec.rules[0]",
            "{\"rules\": [{\"verdict\": \"deny\"}]} | spec.rules[0]",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"deny\", \"approvals\": {}}]} | spec.rules[0].approvals",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"deny\", \"mode\": \"Shadow\"}]} | spec.rules[0].mode",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"deny\", \"mode\": true}]} | spec.rules[0].mode",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"require-approval\", \"approvals\": {\"quorum\": 6}}]} | spec.rules[0].approvals.quorum",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"require-approval\", \"approvals\": {\"quorum\": 0}}]} | spec.rules[0].approvals.quorum",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"require-approval\", \"approvals\": {\"quorom\": 2}}]} | spec.rules[0].approvals.quorom",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"require-approval\", \"approvals\": {\"notRequester\": 1}}]} | spec.rules[0].approvals.notRequester",
            "{\"rules\": [{\"tool\": \"finance:*\", \"verdict\": \"deny\"}]} | spec.rules[0].tool",
            "{\"rules\": [{\"tool\": 7, \"verdict\": \"deny\"}]} | spec.rules[0].tool",
            "{\"rules\": [{\"entry\": \"bash\", \"verdict\": \"deny\"}]} | spec.rules[0].entry",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"deny\", \"when\": {}}]} | spec.rules[0].when.args",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"deny\", \"when\": {\"result\": 1}}]} | spec.rules[0].when.result",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"deny\", \"when\": {\"args\": []}}]} | spec.rules[0].when.args",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"deny\", \"when\": {\"args\": [{\"path\": \"/a\", \"is\": 1}]}}]} | spec.rules[0].when.args[0].is",
            "{\"rules\": [{\"flag\": \"risky\", \"verdict\": \"deny\"}]} | spec.rules[0].flag",
            "{\"rules\": [{\"source\": \"web\", \"verdict\": \"deny\"}]} | spec.rules[0].source",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"deny\", \"when\": 1}]} | spec.rules[0].when",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"deny\", \"priority\": 1.5}]} | spec.rules[0].priority",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"deny\", \"scope\": {\"sessionId\": \"s\"}}]} | spec.rules[0].scope.sessionId",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"deny\", \"scope\": {\"userId\": []}}]} | spec.rules[0].scope.userId",
            "{\"rules\": [{\"tool\": \"*\", \"verdict\": \"deny\", \"scope\": null}]} | spec.rules[0].scope"})
    void whatNobodyKnowsIsRefusedWithItsPlace(String spec, String place) {
        assertThatThrownBy(() -> policy(spec)).isInstanceOf(InvalidResourceException.class)
                .hasMessageStartingWith("ToolPolicy/p: " + place + " ");
    }

    private static ToolPolicySpec policy(String spec) {
        ObjectNode resource = Json.MAPPER.createObjectNode();
        resource.put("apiVersion", Kinds.TOOLFLEET_V1).put("kind", "ToolPolicy").putObject("metadata").put("name", "p");
        resource.set("spec", Json.MAPPER.readTree(spec));
        return ToolPolicySpec.of(resource);
    }
}
