package dev.toolfleet.bundle;

import java.util.Locale;
import java.util.Set;

import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import tools.jackson.databind.node.ObjectNode;

/// An EffectBudget: a limit on the calls of its tools, or on their cost.
///
/// @param reach the calls that spend of it
/// @param selector the tools whose calls spend of it
/// @param per the owner of one amount
/// @param unit of the limit
/// @param limit the most that may be spent
public record EffectBudgetSpec(String name, Reach reach, RuleSelector selector, Per per, Unit unit, int limit) {
    /// The fields of its `spec` that do not select.
    public static final Set<String> FIELDS = Set.of("reach", "per", "calls", "cost");

    /// Owner of an amount.
    public enum Per {
        /// One turn of an agent in an instance.
        TURN,
        /// An instance, for as long as it exists.
        INSTANCE,
        /// An agent, in all its instances, on one day.
        AGENT,
        /// A user, in all instances, on one day.
        USER;

        /// Returns its form in a bundle.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// True if an amount belongs to one day.
        public boolean daily() {
            return this == AGENT || this == USER;
        }
    }

    /// Measure of a limit.
    public enum Unit {
        /// Each call counts 1.
        CALLS,
        /// Each call counts what its export declares as `cost`.
        COST;

        /// Returns its form in a bundle.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Checks the limit.
    public EffectBudgetSpec {
        if (limit < 0)
            throw new IllegalArgumentException("limit must not be negative, got " + limit);
    }

    /// Reads a resource of kind `EffectBudget`. Unknown fields are rejected. Otherwise: a limit of a later release is
    /// left out.
    ///
    /// @throws InvalidResourceException when it is no EffectBudget, or a field is unknown or has the wrong shape
    public static EffectBudgetSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.EFFECT_BUDGET);
        spec.known(FIELDS, RuleSelector.FIELDS);
        ResourceJson calls = spec.get("calls");
        ResourceJson cost = spec.get("cost");
        if (calls.present() == cost.present())
            throw spec.wrong("a budget with either calls or cost");
        Per per = spec.get("per").choice(Per.class).orElseThrow(() -> spec.get("per").wrong(Choices.form(Per.class)));
        return new EffectBudgetSpec(ResourceJson.name(resource),
                spec.get("reach").choice(Reach.class).orElse(Reach.BUNDLE), RuleSelector.of(spec), per,
                calls.present() ? Unit.CALLS : Unit.COST, limit(calls.present() ? calls : cost));
    }

    private static int limit(ResourceJson json) {
        int limit = json.whole(-1);
        if (limit < 0)
            throw json.wrong("a whole number of at least 0");
        return limit;
    }
}
