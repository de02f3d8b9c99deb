package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.toolfleet.bundle.EffectBudgetSpec.Per;
import dev.toolfleet.bundle.EffectBudgetSpec.Unit;
import dev.toolfleet.policy.Budgets.Budget;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.policy.BudgetGate;
import dev.toolfleet.worker.registry.CatalogTool;
import dev.toolfleet.worker.simulation.SimCall.Kind;

/// Budgets of a world: calls of all kinds per instance, and the cost of those that are not read-only per turn. All calls of
/// an instance have one turn.
///
/// @param calls the limit of the first; 0 for a world without budgets
/// @param cost the limit of the second
record SimBudget(int calls, int cost) implements BudgetGate {
    static final SimBudget NONE = new SimBudget(0, 0);

    /// The budgets of some worlds.
    static SimBudget of(long seed) {
        Random random = random(seed);
        return random.nextInt(4) == 0 ? drawn(random) : NONE;
    }

    /// Budgets in every world.
    static SimBudget always(long seed) {
        return drawn(random(seed));
    }

    /// Random source of budgets alone. Otherwise: budgets change the course of worlds that have none.
    private static Random random(long seed) {
        return new Random(seed * 0x9E3779B97F4A7C15L + 104);
    }

    private static SimBudget drawn(Random random) {
        return new SimBudget(1 + random.nextInt(6), 1 + random.nextInt(8));
    }

    boolean isOff() {
        return calls == 0;
    }

    /// Cost that the export of a kind declares.
    static int cost(Kind kind) {
        return List.of(Kind.values()).indexOf(kind) % 3;
    }

    /// Amount that a call spends of the second budget.
    static int spends(SimCall call) {
        return call.kind() == Kind.READ ? 0 : cost(call.kind());
    }

    @Override
    public List<Budget> of(ToolCall call, CatalogTool tool) {
        if (isOff())
            return List.of();
        List<Budget> budgets = new ArrayList<>();
        budgets.add(new Budget("simulation/calls", Per.INSTANCE, Unit.CALLS, calls, true));
        if (Kind.of(call.name()) != Kind.READ)
            budgets.add(new Budget("simulation/cost", Per.TURN, Unit.COST, cost, true));
        return budgets;
    }
}
