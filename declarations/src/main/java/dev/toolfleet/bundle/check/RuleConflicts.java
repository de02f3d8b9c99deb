package dev.toolfleet.bundle.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.PolicyRule;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.bundle.ToolPolicySpec;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import dev.toolfleet.bundle.Verdict;

/// Finds rules of one bundle that can never win, for any call, because of another rule.
final class RuleConflicts {
    private RuleConflicts() {}

    private record Written(Place place, ToolPolicySpec policy, PolicyRule rule) {
        String where() {
            return place.resource().id() + " line " + place.position().line();
        }
    }

    static void check(Bundle bundle, Findings findings) {
        List<Written> rules = new ArrayList<>();
        for (Resource resource : bundle.ofKind(Kinds.TOOL_POLICY))
            read(resource).ifPresent(policy -> add(resource, policy, rules));
        NamedTools tools = new NamedTools(bundle);
        boolean deniesByDefault = deniesByDefault(bundle, rules);
        for (int i = 0; i < rules.size(); i++) {
            if (!judgeAlone(rules.get(i), tools, deniesByDefault, findings))
                judge(rules.get(i), rules, i, findings);
        }
    }

    /// True if a policy or a group of the bundle denies by default; an allow may then lift a denial.
    private static boolean deniesByDefault(Bundle bundle, List<Written> rules) {
        return rules.stream().anyMatch(rule -> rule.policy().defaultVerdict().filter(Verdict.DENY::equals).isPresent())
                || bundle.ofKind(Kinds.TOOL_GROUP).stream().anyMatch(group -> group.document().path("spec")
                        .path("defaultPolicy").asString("").equals(Verdict.DENY.text()));
    }

    /// Reads a policy; empty when it has errors, which are reported elsewhere.
    private static Optional<ToolPolicySpec> read(Resource resource) {
        try {
            return Optional.of(ToolPolicySpec.of(resource.document()));
        } catch (InvalidResourceException e) {
            return Optional.empty();
        }
    }

    private static void add(Resource resource, ToolPolicySpec policy, List<Written> rules) {
        Place list = Place.spec(resource).get("rules");
        for (int i = 0; i < policy.rules().size(); i++)
            rules.add(new Written(list.get(i), policy, policy.rules().get(i)));
    }

    /// True if the rule cannot win, whatever the other rules are.
    private static boolean judgeAlone(Written rule, NamedTools tools, boolean deniesByDefault, Findings findings) {
        Optional<String> noneFits = tools.noneFits(rule.rule());
        if (noneFits.isPresent()) {
            never(rule, "it applies to none of the tools that it names: " + noneFits.get(),
                    "The fields of a rule are a conjunction; take one of them out, or write two rules.", findings);
            return true;
        }
        boolean allows = rule.rule().verdict() == Verdict.ALLOW;
        if (allows && !deniesByDefault && (rule.rule().selector().flags().equals(Set.of(ToolFlag.IS_TRANSACTIONAL))
                || tools.allTransactional(rule.rule()))) {
            never(rule, "no rule lifts the approval that isTransactional requires",
                    "Each of these calls requires approval; remove the rule, unless another bundle denies them by"
                            + " default.",
                    findings);
            return true;
        }
        return false;
    }

    private static void judge(Written rule, List<Written> all, int index, Findings findings) {
        for (int i = 0; i < all.size(); i++) {
            Written other = all.get(i);
            boolean stricter = !other.rule().isShadow() && other.rule().verdict().compareTo(rule.rule().verdict()) > 0;
            if (stricter && holdsWherever(other, rule) && other.rule().covers(rule.rule())) {
                never(rule, "'" + other.rule().text() + "' (" + other.where() + ") applies to all of its calls, and "
                        + other.rule().verdict().text() + " beats " + rule.rule().verdict().text(),
                        "Narrow the other rule, or remove this one; priority does not help.", findings);
                return;
            }
            if (isRepeated(rule.rule(), other.rule(), i < index) && holdsWherever(other, rule)) {
                never(rule, "it says what " + other.where() + " says already", "Keep one.", findings);
                return;
            }
        }
    }

    /// True if another rule has the same content: one before it of the same mode, or an enforced one for a shadow rule.
    private static boolean isRepeated(PolicyRule rule, PolicyRule other, boolean before) {
        return (before && other.text().equals(rule.text()))
                || (rule.isShadow() && !other.isShadow() && other.text().equals(rule.enforced().text()));
    }

    private static boolean holdsWherever(Written one, Written other) {
        return one.policy().reach() == Reach.FLEET || other.policy().reach() == Reach.BUNDLE;
    }

    private static void never(Written rule, String because, String hint, Findings findings) {
        findings.warning(ProblemCode.E_CONFIG_RULE_NEVER_WINS, rule.place(),
                "The rule '" + rule.rule().text() + "' can never win: " + because + ".", hint);
    }
}
