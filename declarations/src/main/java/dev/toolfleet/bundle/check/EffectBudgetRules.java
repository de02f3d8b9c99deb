package dev.toolfleet.bundle.check;

import dev.toolfleet.bundle.EffectBudgetSpec.Per;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;

/// Checks `kind: EffectBudget`: its owner, its limit, and that it selects something.
final class EffectBudgetRules {
    private EffectBudgetRules() {}

    static void check(Place spec, Check check) {
        Findings findings = check.findings();
        Place calls = spec.get("calls");
        Place cost = spec.get("cost");
        if (calls.present() && cost.present())
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, cost, "The budget has both calls and cost.",
                    "Make two EffectBudgets, one with calls and one with cost.");
        if (!calls.present() && !cost.present())
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, spec, "The budget has no limit.",
                    "Add calls: 20 for a number of calls, or cost: 100 for the sum of what exports declare as cost.");
        if (RuleSelector.FIELDS.stream().noneMatch(field -> spec.node().has(field))) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, spec, "The budget selects no tools.",
                    "Add tool, entry, group, source or flag; tool: \"*\" selects every tool.");
            return;
        }
        new SelectorRules(check).check(spec, spec.get("reach").choice(Reach.class).orElse(Reach.BUNDLE));
        if (spec.get("per").choice(Per.class).isPresent() && isZero(calls, cost))
            findings.hint(ProblemCode.E_CONFIG_SCHEMA_INVALID, calls.present() ? calls : cost,
                    "The limit is 0, so no call that costs anything ever starts.",
                    "Fine to stop these tools for all; a ToolPolicy with verdict: deny also hides them from models.");
    }

    private static boolean isZero(Place calls, Place cost) {
        return (calls.node().isInt() && calls.node().intValue() == 0)
                || (cost.node().isInt() && cost.node().intValue() == 0);
    }
}
