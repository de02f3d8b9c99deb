package dev.toolfleet.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.bundle.EffectBudgetSpec;
import dev.toolfleet.bundle.EffectBudgetSpec.Per;
import dev.toolfleet.bundle.EffectBudgetSpec.Unit;
import dev.toolfleet.bundle.Glob;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.PolicyRule;
import dev.toolfleet.bundle.RuleScope;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ResourceRecord;

/// Compiled EffectBudgets of all bundles. Immutable; any thread may use it.
///
/// A budget has the reach of a rule that denies: calls by agents of its bundle and of its bundle's Tools, calls of no
/// declared agent, and with `reach: fleet` all calls.
public final class Budgets {
    private final List<Compiled> budgets;
    private final Map<String, String> bundleOfAgent;

    private Budgets(List<Compiled> budgets, Map<String, String> bundleOfAgent) {
        this.budgets = List.copyOf(budgets);
        this.bundleOfAgent = bundleOfAgent;
    }

    /// Budget of a call.
    ///
    /// @param id `bundle/name`
    /// @param per the owner of one amount
    /// @param unit of the limit
    /// @param limit the most that may be spent
    /// @param readable false for a budget that this release cannot read; its limit is 0
    public record Budget(String id, Per per, Unit unit, int limit, boolean readable) {}

    private record Compiled(CompiledRule rule, Budget budget) {}

    /// Compiles the budgets of the present revisions of all bundles. An unreadable one leaves nothing to its reach.
    public static Budgets compile(FleetResources resources) {
        List<Compiled> all = new ArrayList<>();
        Map<String, String> bundleOfAgent = new HashMap<>();
        for (BundleResources bundle : resources.bundles().values()) {
            bundle.agents().keySet().forEach(agent -> bundleOfAgent.putIfAbsent(agent, bundle.name()));
            for (ResourceRecord record : bundle.ofKind(Kinds.EFFECT_BUDGET))
                all.add(compiled(bundle, record));
        }
        return new Budgets(all, Map.copyOf(bundleOfAgent));
    }

    private static Compiled compiled(BundleResources bundle, ResourceRecord record) {
        String name = PolicySource.name(record.resource());
        String id = bundle.name() + "/" + name;
        EffectBudgetSpec spec = bundle.budgets().get(name);
        if (spec != null)
            return new Compiled(rule(bundle.name(), name, spec.reach(), spec.selector()),
                    new Budget(id, spec.per(), spec.unit(), spec.limit(), true));
        Reach reach = record.resource().path("spec").path("reach").asString("").equals("fleet")
                ? Reach.FLEET
                : Reach.BUNDLE;
        return new Compiled(rule(bundle.name(), name, reach, RuleSelector.ofTools(Glob.ANY)),
                new Budget(id, Per.INSTANCE, Unit.CALLS, 0, false));
    }

    private static CompiledRule rule(String bundle, String name, Reach reach, RuleSelector selector) {
        return CompiledRule.of(bundle, name, reach,
                new PolicyRule("budget", selector, RuleScope.ALL, Verdict.DENY, "EffectBudget " + name, 0));
    }

    /// True if no bundle has a budget.
    public boolean isEmpty() {
        return budgets.isEmpty();
    }

    /// Returns the budgets that a call spends from, in the order of their bundles and names.
    public List<Budget> of(PolicyTool tool, PolicyCaller caller) {
        if (budgets.isEmpty())
            return List.of();
        String agent = caller.agentName();
        Facts facts = Facts.of(new PolicyQuery(tool, caller, null, Set.of()),
                agent == null ? null : bundleOfAgent.get(agent));
        return budgets.stream()
                .filter(one -> one.rule().selects(facts) && one.rule().concerns(facts, Instant.MIN))
                .map(Compiled::budget).toList();
    }
}
