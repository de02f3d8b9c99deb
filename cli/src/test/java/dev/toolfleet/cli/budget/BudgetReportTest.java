package dev.toolfleet.cli.budget;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.SpentBudget;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BudgetReportTest {
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    private static final String TURN = "0".repeat(32);

    @Test
    void amountsOfOneOwnerAddUp() {
        assertThat(BudgetReport.totals(List.of(spent("i1", null, null, 3, NOW),
                spent("i1", null, "1".repeat(32), 1, NOW.plusSeconds(5)), spent("i1", TURN, null, 2, NOW))))
                .containsExactly(spent("i1", TURN, null, 2, NOW), spent("i1", null, null, 4, NOW.plusSeconds(5)));
    }

    @Test
    void instancesComeInTheirOrder() {
        assertThat(BudgetReport.totals(List.of(spent("i2", null, null, 1, NOW), spent("i1", null, null, 1, NOW))))
                .extracting(SpentBudget::instanceKey).containsExactly("i1", "i2");
    }

    @Test
    void amountsOfAUserAddUpOverPartitionsAndComeBehindInstances() {
        assertThat(
                BudgetReport.totals(List.of(day("ann", 3), day("ann", 4), day("", 1), spent("i1", null, null, 1, NOW))))
                .containsExactly(spent("i1", null, null, 1, NOW), day("", 1), day("ann", 7));
    }

    private static SpentBudget day(String user, long amount) {
        return SpentBudget.at(new BudgetPlace("acme/mails", SpentBudget.CALLS, null, null, null,
                new BudgetPlace.Day(BudgetPlace.Day.Per.USER, LocalDate.of(2026, 11, 21), user)), amount, NOW);
    }

    private static SpentBudget spent(String instance, @Nullable String turn, @Nullable String call, long amount,
            Instant at) {
        return new SpentBudget("acme/mails", SpentBudget.CALLS, turn, call, instance, amount, at);
    }
}
