package dev.toolfleet.worker.pipeline;

import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.EffectBudgetSpec.Per;
import dev.toolfleet.bundle.EffectBudgetSpec.Unit;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.error.ErrorText;
import dev.toolfleet.policy.Budgets.Budget;
import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.BudgetPlace.Day;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.BudgetLedger;
import dev.toolfleet.worker.identity.BudgetSpending;
import dev.toolfleet.worker.identity.BudgetSpending.Shortage;
import dev.toolfleet.worker.identity.Digest128;
import dev.toolfleet.worker.identity.LoopKey;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.policy.BudgetGate;
import dev.toolfleet.worker.registry.CatalogTool;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.CallMeters;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Stage for budgets (`docs/budgets.md`): a call spends before its handler starts, and is refused if a budget has too little
/// left. Thread-safe; the amounts are those of the call's partition.
///
/// @param gate the budgets of a call
/// @param meters count what is spent and refused
/// @param clock the times at which calls spend
public record BudgetStage(BudgetGate gate, CallMeters meters, InstantSource clock) {
    private static final int LONGEST_NAME = 200;

    /// Budgets of one call.
    ///
    /// @param ledger null for a call that no partition remembers: it spends nothing
    record Spender(BudgetStage stage, CallFacts run, ToolCall call, @Nullable BudgetLedger ledger,
            List<Budget> budgets, List<BudgetSpending> wanted) {
        /// Spends nothing and refuses nothing.
        static Spender none(BudgetStage stage, CallFacts run, ToolCall call) {
            return new Spender(stage, run, call, null, List.of(), List.of());
        }

        /// Returns the error of a call for which too little is left as far as this worker knows; null for one that may go
        /// on. Spends nothing.
        @Nullable
        ToolError refusal() {
            return ledger == null ? null : error(ledger.shortage(run.noted(), wanted));
        }

        /// True if amounts of other workers decide.
        boolean isFollowed() {
            return ledger != null && wanted.stream().anyMatch(each -> each.total().day() != null);
        }

        /// Waits for the amounts of other workers. Returns the error of a call for which they cannot be read; empty for one
        /// that may go on.
        Optional<ToolError> caughtUp() throws InterruptedException {
            return ledger == null || ledger.caughtUp() ? Optional.empty() : Optional.of(unread(call, start()));
        }

        /// Spends, before the start is noted. Returns the error of a call for which too little is left; null for one
        /// that may start.
        @Nullable
        ToolError spend() {
            if (ledger == null)
                return null;
            return error(ledger.spend(run.noted(), wanted, stage.clock.instant()));
        }

        /// Notes that the handler begins.
        void began() {
            if (ledger != null && ledger.began(run.noted()))
                wanted.forEach(each -> stage.meters.budgetSpent(each.total().budget(), each.amount()));
        }

        /// Gives back what was spent, unless the handler has begun.
        void giveBack() {
            if (ledger != null)
                ledger.giveBack(run.noted());
        }

        private @Nullable ToolError error(@Nullable Shortage shortage) {
            if (shortage == null)
                return null;
            stage.meters.budgetRefused(shortage.of().total().budget());
            return exhausted(call, shortage, budgets.get(wanted.indexOf(shortage.of())), start());
        }

        private EarlierStart start() {
            return run.isAnnounced() || run.deaths() > 0 ? EarlierStart.POSSIBLE : EarlierStart.NONE;
        }
    }

    /// Start of a refused call at an earlier owner of its partition.
    private enum EarlierStart {
        /// There was none.
        NONE("was not started", "The call did not happen"),
        /// Its worker died while it had the call, or noted it.
        POSSIBLE("was not started again; an earlier start of it may have happened",
                "An earlier start of the call may have happened");

        private final String message;
        private final String advice;

        EarlierStart(String message, String advice) {
            this.message = message;
            this.advice = advice;
        }
    }

    /// Returns the budgets of a call.
    Spender of(CallFacts run, ToolCall call, CatalogTool offered, RegisteredTool tool) {
        PartitionState state = run.state();
        List<Budget> all = state == null ? List.of() : gate.of(call, offered);
        if (state == null || all.isEmpty())
            return Spender.none(this, run, call);
        List<Budget> budgets = new ArrayList<>();
        List<BudgetSpending> wanted = new ArrayList<>();
        for (Budget budget : all) {
            int amount = budget.unit() == Unit.COST ? tool.export().policy().cost() : 1;
            if (amount == 0)
                continue;
            budgets.add(budget);
            wanted.add(new BudgetSpending(total(run, call, budget, clock.instant()), amount, budget.limit()));
        }
        return wanted.isEmpty()
                ? Spender.none(this, run, call)
                : new Spender(this, run, call, state.budgets(), budgets, wanted);
    }

    private static BudgetPlace total(CallFacts run, ToolCall call, Budget budget, Instant now) {
        String unit = budget.unit() == Unit.COST ? SpentBudget.COST : SpentBudget.CALLS;
        Arrival.Call arrival = run.call().arrival();
        ToolCall sent = arrival.call();
        return switch (budget.per()) {
            case TURN -> new BudgetPlace(budget.id(), unit, turn(run).hex(), null, arrival.instanceKey());
            case INSTANCE -> new BudgetPlace(budget.id(), unit, null, null, arrival.instanceKey());
            case AGENT -> new BudgetPlace(budget.id(), unit, null, null, null,
                    day(Day.Per.AGENT, arrival, now, sent.agentName()));
            case USER -> new BudgetPlace(budget.id(), unit, null, null, null,
                    day(Day.Per.USER, arrival, now, sent.userId() == null ? call.userId() : sent.userId()));
        };
    }

    /// Calls that name no owner share one, as those without a turn do. The day is that of the call's append. Otherwise: the
    /// call is run again after midnight, and spends twice. An approval of an earlier release does not name that time.
    private static Day day(Day.Per per, Arrival.Call arrival, Instant now, @Nullable String name) {
        Instant called = arrival.appendedAt() > 0 ? Instant.ofEpochMilli(arrival.appendedAt()) : now;
        return new Day(per, LocalDate.ofInstant(called, ZoneOffset.UTC),
                name == null ? "" : name);
    }

    /// Calls without a turn share one. Otherwise: a runtime leaves the turn out, and no budget holds.
    private static Digest128 turn(CallFacts run) {
        LoopKey key = run.call().loopKey();
        return key == null ? Digest128.of("no turn of " + run.call().arrival().call().agentName()) : key.turn();
    }

    private static ToolError exhausted(ToolCall call, Shortage shortage, Budget budget, EarlierStart start) {
        String name = ErrorText.limit(call.name(), LONGEST_NAME);
        String id = ErrorText.limit(budget.id(), LONGEST_NAME);
        if (!budget.readable())
            return ToolError.of(ErrorCode.E_TOOL_BUDGET_EXHAUSTED, "EffectBudget '" + id
                    + "' cannot be read by this worker, so no call in its reach starts; '" + name
                    + "' " + start.message + ". Update the worker, or validate the bundle and apply it again.");
        boolean costs = budget.unit() == Unit.COST;
        String limit = costs ? "cost " + budget.limit() : budget.limit() + (budget.limit() == 1 ? " call" : " calls");
        String needed = costs ? ", and this call costs " + shortage.of().amount() : "";
        String again = fullAgain(budget, shortage.of().total().day());
        return ToolError.of(ErrorCode.E_TOOL_BUDGET_EXHAUSTED,
                "Budget '" + id + "' allows " + limit + " per " + budget.per().text()
                        + (budget.per().daily() ? " and day; " : "; ") + shortage.left() + " left" + needed + ". '"
                        + name
                        + "' " + start.message + ". The budget is " + again + ".")
                .suggesting(start.advice + suggestion(budget, again));
    }

    private static String fullAgain(Budget budget, @Nullable Day day) {
        return switch (budget.per()) {
            case TURN -> "full again in the next turn";
            case INSTANCE -> "not filled again in this conversation";
            case AGENT, USER -> "full again at " + requireNonNull(day, "the day of a daily budget").date().plusDays(1)
                    + "T00:00:00Z";
        };
    }

    private static String suggestion(Budget budget, String again) {
        return switch (budget.per()) {
            case TURN, AGENT, USER ->
                ". Finish this turn with what you have, and tell the user what is left to"
                        + " do: the budget is " + again + ".";
            case INSTANCE -> ", and repeating it leads nowhere in this conversation. Finish with"
                    + " what you have, or tell the user that the budget is exhausted.";
        };
    }

    private static ToolError unread(ToolCall call, EarlierStart start) {
        return ToolError.of(ErrorCode.E_TOOL_BUDGET_EXHAUSTED, "'" + ErrorText.limit(call.name(), LONGEST_NAME)
                + "' spends of a budget of its agent or user, and what other workers have spent of it cannot be read from"
                + " tool.budget now. The call " + start.message + ".")
                .suggesting(start.advice + ". Call again in a minute.");
    }
}
