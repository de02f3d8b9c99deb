package dev.toolfleet.worker.identity;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;

import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.BudgetPlace.Day;
import dev.toolfleet.wire.PublishedBudget;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.wire.WireCodec;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class FleetBudgetsTest {
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    private static final BudgetPlace ANN = place("ann");
    private static final String CALL = "f".repeat(32);
    private static final String OTHER = "e".repeat(32);

    private final FleetBudgets view = new FleetBudgets();

    @Test
    void whatPartitionsHaveSpentAddsUp() {
        spent(0, ANN, 3);
        spent(1, ANN, 4);
        spent(1, place("bob"), 9);

        assertThat(view.spentOutside(Set.of(), ANN)).isEqualTo(7);
        assertThat(view.spentOutside(Set.of(1), ANN)).as("without a worker's own").isEqualTo(3);
    }

    @Test
    void theNewestTotalOfAPartitionCounts() {
        spent(0, ANN, 3);
        spent(0, ANN, 5);

        assertThat(view.spentOutside(Set.of(), ANN)).isEqualTo(5);
    }

    @Test
    void anAmountBesideTheTotalCountsUntilATotalTakesItUp() {
        spent(0, ANN, 3);
        spent(0, ANN.beside(CALL), 2);
        spent(0, ANN.beside(OTHER), 1);
        assertThat(view.spentOutside(Set.of(), ANN)).isEqualTo(6);

        spent(0, ANN, 6, CALL);
        assertThat(view.spentOutside(Set.of(), ANN)).as("before the tombstone").isEqualTo(7);

        end(0, ANN.beside(CALL));
        assertThat(view.spentOutside(Set.of(), ANN)).isEqualTo(7);
    }

    @Test
    void anAmountThatEndedIsForgotten() {
        spent(0, ANN, 3);
        spent(0, ANN.beside(CALL), 2);
        end(0, ANN);
        assertThat(view.spentOutside(Set.of(), ANN)).isEqualTo(2);

        end(0, ANN.beside(CALL));
        assertThat(view.size()).isZero();
    }

    @Test
    void whatIsNoAmountIsPassedOver() {
        view.apply(0, "0/" + ANN.key(), "{\"kind\":\"later\"}".getBytes(UTF_8), 0);
        view.apply(0, "0/" + ANN.key(), "{\"kind\":\"spent\"}".getBytes(UTF_8), 0);
        view.apply(0, "0/" + ANN.key(), "no JSON".getBytes(UTF_8), 0);
        view.apply(0, "no key", null, 0);

        assertThat(view.size()).isZero();
    }

    private static BudgetPlace place(String user) {
        return new BudgetPlace("acme/mails", SpentBudget.CALLS, null, null, null,
                new Day(Day.Per.USER, LocalDate.of(2026, 11, 21), user));
    }

    private void spent(int partition, BudgetPlace place, long amount, String... taken) {
        PublishedBudget record = PublishedBudget.of(partition, SpentBudget.at(place, amount, NOW), List.of(taken));
        view.apply(0, record.key(), WireCodec.of(PublishedBudget.class).write(record), 0);
    }

    private void end(int partition, BudgetPlace place) {
        view.apply(0, new BudgetPlace.InPartition(partition, place).key(), null, 0);
    }
}
