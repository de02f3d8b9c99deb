package dev.toolfleet.bundle.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bundle.ApprovalTerms;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.PolicyRule;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.RuleScope;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.ToolPolicySpec;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import dev.toolfleet.bundle.Verdict;

/// Checks `kind: ToolPolicy`: the form of its rules, and that they select something. [RuleConflicts] compares the rules
/// with each other.
final class ToolPolicyRules {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    private final Check check;
    private final Shapes shapes;
    private final Findings findings;
    private final SelectorRules selectors;

    private ToolPolicyRules(Check check) {
        this.check = check;
        shapes = check.shapes();
        findings = check.findings();
        selectors = new SelectorRules(check);
    }

    static void check(Place spec, Check check) {
        new ToolPolicyRules(check).check(spec);
    }

    private void check(Place spec) {
        check.knownFields(spec, ToolPolicySpec.FIELDS);
        shapes.choice(spec.get("defaultVerdict"), Verdict.class);
        Optional<Reach> reach = shapes.choice(spec.get("reach"), Reach.class);
        List<Place> rules = shapes.list(spec.get("rules"));
        if (rules.isEmpty() && !spec.get("defaultVerdict").present()) {
            findings.hint(ProblemCode.E_CONFIG_SCHEMA_INVALID, spec,
                    "The policy has no rules and no default; it only brings the groups' defaults into force.",
                    "Add rules: [{tool: \"*\", verdict: …}] or a defaultVerdict.");
        }
        Map<String, Place> ids = new HashMap<>();
        for (Place rule : rules) {
            if (!rule.node().isObject()) {
                shapes.wrong(rule, "a mapping");
                continue;
            }
            rule(rule, reach.orElse(Reach.BUNDLE));
            id(rule.get("id"), ids);
        }
    }

    private void rule(Place rule, Reach reach) {
        check.knownFields(rule, union(PolicyRule.FIELDS, RuleSelector.FIELDS));
        Place verdict = rule.get("verdict");
        if (!verdict.present())
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, verdict, verdict.path() + " is missing.",
                    "Write allow, require-approval or deny.");
        boolean allows = shapes.choice(verdict, Verdict.class).filter(Verdict.ALLOW::equals).isPresent();
        if (allows && reach == Reach.FLEET)
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, verdict,
                    "A policy that reaches the fleet only restricts: this allow would loosen other teams' defaults.",
                    "Move the rule to a ToolPolicy of this bundle without reach: fleet.");
        shapes.text(rule.get("reason"));
        approvals(rule.get("approvals"), verdict);
        priority(rule.get("priority"));
        selectors(rule, reach);
        scope(rule.get("scope"));
        ConditionRules.check(rule, check);
    }

    private void approvals(Place approvals, Place verdict) {
        if (!approvals.present() || !shapes.mapping(approvals))
            return;
        check.knownFields(approvals, ApprovalTerms.FIELDS);
        Place quorum = approvals.get("quorum");
        if (quorum.present() && !(quorum.node().isIntegralNumber() && quorum.node().canConvertToInt()
                && quorum.node().asInt() >= 1 && quorum.node().asInt() <= ApprovalTerms.MOST))
            shapes.wrong(quorum, ApprovalTerms.QUORUM_FORM);
        shapes.flag(approvals.get("notRequester"));
        if (!verdict.node().asString("").equals(Verdict.REQUIRE_APPROVAL.text()))
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, approvals,
                    "The rule has terms of approval, but its verdict is " + verdict.shown() + ".",
                    "Write verdict: require-approval, or leave approvals out.");
    }

    private void priority(Place priority) {
        if (priority.present() && !(priority.node().isIntegralNumber() && priority.node().canConvertToInt()))
            shapes.wrong(priority, "a whole number");
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
        if (scope.node().isMissingNode() || (!shapes.mapping(scope) && scope.present()))
            return;
        if (!scope.present() || scope.node().isEmpty()) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, scope, "The scope is empty.",
                    "Leave scope out to include all callers, or name userId, channelId or agentName.");
            return;
        }
        for (Place key : scope.fields()) {
            String name = SelectorRules.lastKey(key);
            if (!RuleScope.KEYS.contains(name))
                findings.addAtKey(Severity.ERROR, ProblemCode.E_CONFIG_UNKNOWN_FIELD, key,
                        "A scope has no key '" + name + "', and a rule with an unknown scope is not loaded.",
                        Nearest.hint(name, RuleScope.KEYS, "There is: userId, channelId, agentName."));
            else
                selectors.texts(key);
        }
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
        if (!id.present())
            return;
        String text = id.node().asString("");
        if (!id.node().isString() || !ID.matcher(text).matches())
            findings.error(ProblemCode.E_CONFIG_INVALID_NAME, id,
                    "The id " + id.shown() + " may hold only letters, digits, '.', '_' and '-', at most 63.",
                    "Approvals and audit events name the rule by it.");
        Place first = ids.putIfAbsent(text, id);
        if (first != null)
            findings.error(ProblemCode.E_CONFIG_DUPLICATE_NAME, id, "The id '" + text + "' exists already, in line "
                    + first.position().line() + ".", "Rename or remove one; ids may also be left out.");
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        return Stream.concat(one.stream(), other.stream()).collect(Collectors.toSet());
    }
}
