package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.SpentBudget;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class BudgetLedgerTest {
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    private static final BudgetPlace MAILS = new BudgetPlace("acme/mails", SpentBudget.CALLS, null, null, "i1");
    private static final BudgetPlace COST = new BudgetPlace("acme/cost", SpentBudget.COST, null, null, "i1");

    private final BudgetLedger ledger = new BudgetLedger();

    @Test
    void callsBesideEachOtherNeverExceedTheLimit() {
        assertThat(spend("a", 2)).isTrue();
        assertThat(spend("b", 2)).isTrue();
        assertThat(spend("c", 2)).isFalse();
        assertThat(ledger.spent(MAILS)).isEqualTo(2);
    }

    @Test
    void aRefusalNamesTheBudgetAndWhatIsLeft() {
        BudgetSpending.Shortage shortage = requireNonNull(
                ledger.spend("a", List.of(new BudgetSpending(MAILS, 3, 2)), NOW));

        assertThat(shortage.of().total()).isEqualTo(MAILS);
        assertThat(shortage.left()).isEqualTo(2);
    }

    @Test
    void allBudgetsOfACallAreSpentOrNone() {
        assertThat(ledger.spend("a", List.of(new BudgetSpending(MAILS, 1, 5), new BudgetSpending(COST, 7, 6)), NOW))
                .isNotNull();
        assertThat(ledger.spent(MAILS)).isZero();
        assertThat(ledger.size()).isZero();
    }

    @Test
    void aCallSpendsOnceHoweverOftenItIsStarted() {
        spend("a", 1);
        ledger.began("a");

        assertThat(spend("a", 1)).as("again").isTrue();
        assertThat(ledger.spent(MAILS)).isEqualTo(1);
    }

    @Test
    void whatNeverBeganIsGivenBack() {
        spend("a", 1);
        ledger.giveBack("a");

        assertThat(ledger.ended("a")).isEqualTo(WrittenBudgets.NOTHING);
        assertThat(spend("b", 1)).isTrue();
    }

    @Test
    void whatBeganIsNotGivenBack() {
        spend("a", 1);
        assertThat(ledger.began("a")).isTrue();
        assertThat(ledger.began("a")).as("a second attempt").isFalse();
        ledger.giveBack("a");

        assertThat(spend("b", 1)).isFalse();
    }

    @Test
    void aResultCarriesTheTotal() {
        end("a");
        WrittenBudgets second = end("b");

        assertThat(second.spent()).singleElement().satisfies(entry -> {
            assertThat(entry.key()).isEqualTo(MAILS.key());
            assertThat(entry.amount()).isEqualTo(2);
        });
        assertThat(second.gone()).isEmpty();
    }

    // Otherwise: the smaller total is committed last, and compaction keeps it.
    @Test
    void resultsInReverseOrderLoseNothing() {
        spend("a", 9);
        spend("b", 9);
        WrittenBudgets first = ledger.ended("a");
        WrittenBudgets second = ledger.ended("b");

        assertThat(second.spent()).singleElement()
                .satisfies(entry -> assertThat(entry.key()).isNotEqualTo(MAILS.key()));
        assertThat(heir(second, first).spent(MAILS)).isEqualTo(2);
        assertThat(heir(first, second).spent(MAILS)).isEqualTo(2);
    }

    @Test
    void theNextTotalTakesUpWhatLiesBesideIt() {
        spend("a", 9);
        spend("b", 9);
        WrittenBudgets first = ledger.ended("a");
        WrittenBudgets second = ledger.ended("b");
        ledger.committed("b");
        ledger.committed("a");
        WrittenBudgets third = end("c");

        assertThat(third.spent()).singleElement().satisfies(entry -> assertThat(entry.amount()).isEqualTo(3));
        assertThat(third.gone()).containsExactly(second.spent().getFirst().place());
        assertThat(heir(first, second, third).spent(MAILS)).isEqualTo(3);
        assertThat(ledger.spent(MAILS)).isEqualTo(3);
    }

    @Test
    void aReplacedResultCarriesTheSameEntries() {
        spend("a", 9);
        WrittenBudgets made = ledger.ended("a");
        spend("b", 9);
        ledger.ended("b");

        assertThat(ledger.ended("a")).isEqualTo(made);
    }

    @Test
    void whatAnEarlierOwnerBeganCountsAndIsNotGivenBack() {
        spend("a", 1);
        BudgetLedger heir = new BudgetLedger();
        heir.restoreOpen(intent("a", ledger.spentBy("a")));
        heir.giveBack("a");

        assertThat(heir.spent(MAILS)).isEqualTo(1);
        assertThat(heir.spend("b", List.of(new BudgetSpending(MAILS, 1, 1)), NOW)).isNotNull();
        assertThat(heir.spend("a", List.of(new BudgetSpending(MAILS, 1, 1)), NOW)).as("it is run again").isNull();
        assertThat(heir.ended("a").spent()).singleElement().satisfies(entry -> assertThat(entry.amount()).isEqualTo(1));
    }

    @Test
    void anIntentThatWasClosedCountsNoMore() {
        spend("a", 1);
        BudgetLedger heir = new BudgetLedger();
        heir.restoreOpen(intent("a", ledger.spentBy("a")));
        heir.restoreOpen(intent("a", ledger.spentBy("a")));
        assertThat(heir.spent(MAILS)).as("written twice").isEqualTo(1);
        heir.restoreClosed("a");

        assertThat(heir.spent(MAILS)).isZero();
        assertThat(heir.size()).isZero();
    }

    @Test
    void aLateDuplicateSpendsAgain() {
        spend("x", 9);
        ledger.ended("x");
        end("a");
        ledger.committed("x");
        assertThat(ledger.spend("a", List.of(new BudgetSpending(MAILS, 1, 9)), NOW.plusSeconds(9_000))).isNull();

        assertThat(ledger.spent(MAILS)).isEqualTo(3);
    }

    @Test
    void turnsWithoutACallForADayAreDeleted() {
        BudgetPlace old = turn("0".repeat(32));
        BudgetPlace other = turn("1".repeat(32));
        spend("a", old, NOW);
        ledger.ended("a");
        ledger.committed("a");
        Instant later = NOW.plus(BudgetLedger.TURN_KEPT).plus(Duration.ofSeconds(1));
        spend("b", other, later);
        WrittenBudgets made = ledger.ended("b");

        assertThat(made.gone()).containsExactly(old);
        ledger.committed("b");
        assertThat(ledger.size()).isEqualTo(1);
        assertThat(ledger.spent(other)).isEqualTo(1);
    }

    // Otherwise: the heap, the journal and each take-over grow with every instance that ever called.
    @Test
    void instancesWithoutACallForAMonthAreDeleted() {
        BudgetPlace young = new BudgetPlace("acme/mails", SpentBudget.CALLS, null, null, "i2");
        end("a");
        spend("b", young, NOW.plus(BudgetLedger.INSTANCE_KEPT));
        assertThat(ledger.ended("b").gone()).isEmpty();
        ledger.committed("b");
        spend("c", young, NOW.plus(BudgetLedger.INSTANCE_KEPT).plusMillis(1));

        assertThat(ledger.ended("c").gone()).containsExactly(MAILS);
        ledger.committed("c");
        assertThat(ledger.size()).isEqualTo(1);
        assertThat(ledger.spent(young)).isEqualTo(2);
    }

    // Otherwise: an intent whose call is gone stays open for ever, and no turn behind it is deleted.
    @Test
    void turnsThatACallHoldsDoNotKeepTheOthers() {
        for (int n = 0; n < 40; n++)
            spend("held" + n, turn("%032x".formatted(n)), NOW);
        BudgetPlace old = turn("a".repeat(32));
        spend("a", old, NOW);
        ledger.ended("a");
        ledger.committed("a");
        Instant later = NOW.plus(BudgetLedger.TURN_KEPT).plus(Duration.ofSeconds(1));
        spend("b", turn("b".repeat(32)), later);
        spend("c", turn("c".repeat(32)), later);

        assertThat(ledger.ended("b").gone()).as("as many as one result looks at are held").isEmpty();
        assertThat(ledger.ended("c").gone()).containsExactly(old);
    }

    // Otherwise: the deletion is committed behind the call's total.
    @Test
    void aTurnThatGoesOnWhileItIsDeletedHasAnEntryOfItsOwn() {
        BudgetPlace old = turn("0".repeat(32));
        spend("a", old, NOW);
        ledger.ended("a");
        ledger.committed("a");
        Instant later = NOW.plus(BudgetLedger.TURN_KEPT).plus(Duration.ofSeconds(1));
        spend("b", turn("1".repeat(32)), later);
        ledger.ended("b");
        spend("c", old, later);

        assertThat(ledger.ended("c").spent()).singleElement()
                .satisfies(entry -> assertThat(entry.key()).isNotEqualTo(old.key()));
        ledger.committed("c");
        ledger.committed("b");
        assertThat(ledger.spent(old)).isEqualTo(1);
    }

    // Otherwise: a call that waits for a person over midnight begins its day's amount anew.
    @Test
    void aDayIsDeletedOnceItHasBeenOverForADay() {
        LocalDate today = LocalDate.ofInstant(NOW, ZoneOffset.UTC);
        Instant midnight = today.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        spend("a", day(today), NOW);
        ledger.ended("a");
        ledger.committed("a");
        spend("b", day(today.plusDays(1)), midnight.plus(BudgetLedger.TURN_KEPT));
        assertThat(ledger.ended("b").gone()).isEmpty();
        ledger.committed("b");
        spend("c", day(today.plusDays(2)), midnight.plus(BudgetLedger.TURN_KEPT).plusSeconds(1));

        assertThat(ledger.ended("c").gone()).containsExactly(day(today));
        ledger.committed("c");
        assertThat(ledger.size()).isEqualTo(2);
    }

    @Test
    void theNextOwnerKnowsWhatADayHasSpent() {
        BudgetPlace today = day(LocalDate.ofInstant(NOW, ZoneOffset.UTC));
        spend("a", today, NOW);
        spend("b", today, NOW);
        WrittenBudgets first = ledger.ended("a");

        BudgetLedger heir = heir(first);
        heir.restoreOpen(intent("b", ledger.spentBy("b")));
        assertThat(heir.spent(today)).isEqualTo(2);
    }

    private static BudgetPlace day(LocalDate date) {
        return new BudgetPlace("acme/day", SpentBudget.CALLS, null, null, null,
                new BudgetPlace.Day(BudgetPlace.Day.Per.USER, date, "ann"));
    }

    private static BudgetPlace turn(String digest) {
        return new BudgetPlace("acme/turn", SpentBudget.CALLS, digest, null, "i1");
    }

    private boolean spend(String call, long limit) {
        return ledger.spend(call, List.of(new BudgetSpending(MAILS, 1, limit)), NOW) == null;
    }

    private void spend(String call, BudgetPlace total, Instant at) {
        assertThat(ledger.spend(call, List.of(new BudgetSpending(total, 1, 9)), at)).isNull();
        ledger.began(call);
    }

    private WrittenBudgets end(String call) {
        spend(call, 9);
        WrittenBudgets made = ledger.ended(call);
        ledger.committed(call);
        return made;
    }

    /// A ledger that reads these transactions in this order, after compaction.
    private static BudgetLedger heir(WrittenBudgets... transactions) {
        BudgetLedger heir = new BudgetLedger();
        List<WrittenBudgets> all = new ArrayList<>(List.of(transactions));
        all.forEach(each -> {
            each.spent().forEach(heir::restore);
            each.gone().forEach(heir::restoreEnd);
        });
        return heir;
    }

    private static CallIntent intent(String call, List<SpentBudget> spends) {
        return new CallIntent(call, "sha256:1", "t__x", 1, "w1", 1, NOW, "m1", null, null).spending(spends);
    }
}
