package dev.toolfleet.bundle.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Nearest;
import dev.toolfleet.bundle.PolicyRule.Mode;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.RuleScope;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import dev.toolfleet.bundle.Verdict;

/// Checks `kind: ToolPolicy`: the form of its rules, and that they select something. [RuleConflicts] compares the rules
/// with each other.
final class ToolPolicyRules {
    private final Check check;
    private final Findings findings;
    private final SelectorRules selectors;

    private ToolPolicyRules(Check check) {
        this.check = check;
        findings = check.findings();
        selectors = new SelectorRules(check);
    }

    static void check(Place spec, Check check) {
        new ToolPolicyRules(check).check(spec);
    }

    private void check(Place spec) {
        Reach reach = spec.get("reach").choice(Reach.class).orElse(Reach.BUNDLE);
        List<Place> rules = spec.get("rules").items();
        if (rules.isEmpty() && !spec.get("defaultVerdict").present()) {
            findings.hint(ProblemCode.E_CONFIG_SCHEMA_INVALID, spec,
                    "The policy has no rules and no default; it only brings the groups' defaults into force.",
                    "Add rules: [{tool: \"*\", verdict: …}] or a defaultVerdict.");
        } else if (isShadow(spec, rules)) {
            findings.hint(ProblemCode.E_CONFIG_SCHEMA_INVALID, spec,
                    "All rules of the policy are shadow rules, so it changes nothing, and brings no group's default into"
                            + " force.",
                    "Fine while you watch what the rules would do; defaultVerdict: allow brings the groups' defaults"
                            + " into force.");
        }
        Map<String, Place> ids = new HashMap<>();
        for (Place rule : rules) {
            if (rule.node().isObject()) {
                rule(rule, reach);
                id(rule.get("id"), ids);
            }
        }
    }

    private static boolean isShadow(Place spec, List<Place> rules) {
        return !spec.get("defaultVerdict").present() && rules.stream().allMatch(
                rule -> rule.get("mode").choice(Mode.class).filter(Mode.SHADOW::equals).isPresent());
    }

    private void rule(Place rule, Reach reach) {
        Place verdict = rule.get("verdict");
        boolean allows = verdict.choice(Verdict.class).filter(Verdict.ALLOW::equals).isPresent();
        if (allows && reach == Reach.FLEET)
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, verdict,
                    "A policy that reaches the fleet only restricts: this allow would loosen other teams' defaults.",
                    "Move the rule to a ToolPolicy of this bundle without reach: fleet.");
        approvals(rule.get("approvals"), verdict);
        selectors(rule, reach);
        scope(rule.get("scope"));
        ConditionRules.check(rule, check);
    }

    private void approvals(Place approvals, Place verdict) {
        if (approvals.node().isObject() && !verdict.node().asString("").equals(Verdict.REQUIRE_APPROVAL.text()))
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, approvals,
                    "The rule has terms of approval, but its verdict is " + verdict.shown() + ".",
                    "Write verdict: require-approval, or leave approvals out.");
    }

    private void selectors(Place rule, Reach reach) {
        if (RuleSelector.FIELDS.stream().noneMatch(field -> rule.node().has(field))) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, rule, "The rule selects no tools.",
                    "Add tool, entry, group, source or flag; tool: \"*\" selects every tool.");
            return;
        }
        selectors.check(rule, reach);
    }

    private void scope(Place scope) {
        if (scope.node().isMissingNode() || (scope.present() && !scope.node().isObject()))
            return;
        if (!scope.present() || scope.node().isEmpty()) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, scope, "The scope is empty.",
                    "Leave scope out to include all callers, or name userId, channelId or agentName.");
            return;
        }
        for (String key : RuleScope.KEYS)
            selectors.texts(scope.get(key));
        Set<String> agents = new TreeSet<>();
        check.bundle().ofKind(Kinds.AGENT).stream().map(Resource::name).forEach(agents::add);
        for (Place agent : selectors.texts(scope.get("agentName"))) {
            String name = agent.node().asString("");
            if (!agents.isEmpty() && !agents.contains(name))
                findings.warning(ProblemCode.E_CONFIG_REF_NOT_FOUND, agent,
                        "The bundle has no Agent '" + name + "'.", Nearest.hint(name, agents,
                                "Fine if another bundle has it; here there is: " + String.join(", ", agents) + "."));
        }
    }

    private void id(Place id, Map<String, Place> ids) {
        String text = id.node().asString("");
        if (text.isEmpty())
            return;
        Place first = ids.putIfAbsent(text, id);
        if (first != null)
            findings.error(ProblemCode.E_CONFIG_DUPLICATE_NAME, id, "The id '" + text + "' exists already, in line "
                    + first.position().line() + ".", "Rename or remove one; ids may also be left out.");
    }
}
