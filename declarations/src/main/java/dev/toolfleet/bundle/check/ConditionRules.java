package dev.toolfleet.bundle.check;

import java.util.List;

import dev.toolfleet.bundle.ArgConditions;
import dev.toolfleet.bundle.ParsedCondition;
import dev.toolfleet.bundle.ProblemCode;

/// Checks the `when` of a rule: its conditions on arguments must be readable.
final class ConditionRules {
    private static final String EXAMPLE = "Write when: {args: [{path: /amount, greaterThan: 1000}]} or {labels: {all: [untrusted]}}, or leave when out.";

    private ConditionRules() {}

    static void check(Place rule, Check check) {
        Place when = rule.get("when");
        if (when.node().isMissingNode() || (when.present() && !when.node().isObject()))
            return;
        Place args = when.get("args");
        if (args.node().isMissingNode() && when.get("labels").present())
            return;
        List<Place> conditions = args.items();
        boolean isList = !args.present() || args.node().isArray();
        if (isList && (conditions.isEmpty() || conditions.size() > ArgConditions.MOST))
            check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, args.present() ? args : when,
                    "The when of " + name(rule) + " has " + conditions.size() + " conditions, and must have 1 to "
                            + ArgConditions.MOST + ".",
                    EXAMPLE);
        conditions.forEach(condition -> condition(condition, rule, check));
    }

    private static void condition(Place condition, Place rule, Check check) {
        if (ParsedCondition.of(condition.node()) instanceof ParsedCondition.Faulty faulty) {
            String key = faulty.key();
            check.findings().error(ProblemCode.E_CONFIG_RULE_CONDITION, key == null ? condition : condition.get(key),
                    (key == null ? "The condition " + condition.shown() : "The " + key + " of a condition") + " of "
                            + name(rule) + " " + faulty.problem() + ".",
                    faulty.hint());
        }
    }

    private static String name(Place rule) {
        String id = rule.get("id").node().asString("");
        return id.isEmpty() ? "the rule " + rule.path() : "the rule '" + id + "'";
    }
}
