package dev.toolfleet.worker.app;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.BudgetPlace.Day;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.PublishedBudget;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.identity.IdentifiedCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/// Calls under budgets.
class BudgetedCallsTest extends BudgetedCallsFixture {
    @Test
    void callsOfATurnEndWhereItsBudgetDoes() {
        List<ToolResult> results = repeated(4, "t__send", "t1");

        assertThat(results.subList(0, 2)).extracting(ToolResult::status).containsOnly(ResultStatus.OK);
        assertThat(results.subList(2, 4)).extracting(BudgetedCallsFixture::code).containsOnly(EXHAUSTED);
        assertThat(RUNS).as("a refused call does not run").hasValue(2);
        assertThat(repeated(1, "t__send", "t2").getFirst().status()).as("another turn").isEqualTo(ResultStatus.OK);
        assertThat(registry.get("toolfleet.budget.spent").tag("budget", "acme/sends").counter().count()).isEqualTo(3);
        assertThat(registry.get("toolfleet.budget.refused").tag("budget", "acme/sends").counter().count()).isEqualTo(2);
    }

    @Test
    void aRefusalNamesTheBudgetAndWhenItIsFullAgain() {
        ToolError error = requireNonNull(repeated(3, "t__send", "t1").getLast().error());

        assertThat(error.message()).isEqualTo("Budget 'acme/sends' allows 2 calls per turn; 0 left. 't__send' was not"
                + " started. The budget is full again in the next turn.");
        assertThat(error.suggestion()).contains("did not happen");
    }

    @Test
    void aRefusalOfACallThatAnEarlierOwnerMayHaveBegunDoesNotDenyThat() {
        repeated(4, "t__read", "t1");
        ToolCall call = ToolCall.of("c4", "t__read", Json.MAPPER.createObjectNode(), "i").inStep("coder", "t1", "s4",
                1);
        IdentifiedCall identified = IdentifiedCall.of(arrival(call, 4));
        state.restoreOpen(new CallIntent(identified.identity().text(), identified.fingerprint(), "t__read", 1, "w0",
                EPOCH, CALLED, "m0", null, null, true, CALLED, null, null), CALLED.toEpochMilli());
        ToolError error = requireNonNull(repeated(1, "t__read", "t1").getFirst().error());

        assertThat(error.code()).isEqualTo(EXHAUSTED);
        assertThat(error.message())
                .contains("'t__read' was not started again; an earlier start of it may have happened");
        assertThat(error.suggestion()).startsWith("An earlier start of the call may have happened")
                .doesNotContain("did not happen");
    }

    @Test
    void aBudgetOfCostAddsWhatExportsDeclare() {
        assertThat(repeated(2, "t__dear", "t1")).extracting(ToolResult::status).containsExactly(ResultStatus.OK,
                ResultStatus.ERROR);
        ToolError error = requireNonNull(repeated(1, "t__dear", "t2").getFirst().error());

        assertThat(error.message()).startsWith("Budget 'acme/cost' allows cost 10 per instance; 3 left, and this call"
                + " costs 7.");
        assertThat(repeated(3, "t__cheap", "t2")).extracting(ToolResult::status).containsOnly(ResultStatus.OK);
        assertThat(code(repeated(1, "t__cheap", "t3").getFirst())).isEqualTo(EXHAUSTED);
        assertThat(repeated(1, "t__free", "t3").getFirst().status()).as("cost: 0").isEqualTo(ResultStatus.OK);
    }

    @Test
    void callsBesideEachOtherDoNotExceedIt() throws Exception {
        gate = new CountDownLatch(1);
        for (int n = 0; n < 6; n++)
            send("t__read", "t1");
        List<ToolResult> refused = List.of(result(next()), result(next()));
        await().untilAsserted(() -> assertThat(RUNS).hasValue(4));
        gate.countDown();

        assertThat(refused).extracting(BudgetedCallsFixture::code).containsOnly(EXHAUSTED);
        for (int n = 0; n < 4; n++)
            assertThat(result(next()).status()).isEqualTo(ResultStatus.OK);
        assertThat(RUNS).hasValue(4);
    }

    @Test
    void aPersonIsNotAskedAboutACallThatWouldBeRefused() {
        assertThat(repeated(1, "t__asked", "t1").getFirst().status()).as("asked about, and nothing is spent")
                .isEqualTo(ResultStatus.PENDING);
        assertThat(repeated(2, "t__send", "t1")).extracting(ToolResult::status).containsOnly(ResultStatus.OK);

        assertThat(code(repeated(1, "t__asked", "t1").getFirst())).isEqualTo(EXHAUSTED);
    }

    @Test
    void theIntentAndTheResultCarryWhatWasSpent() {
        send("t__send", "t1");
        List<SpentBudget> written = spent(next());

        assertThat(intents).singleElement().satisfies(intent -> assertThat(intent.spent()).extracting(
                SpentBudget::budget).containsExactly("acme/sends"));
        assertThat(written).extracting(SpentBudget::budget, SpentBudget::amount)
                .containsExactly(tuple("acme/sends", 1L));
    }

    // Otherwise: a turn in which a call was approved after a day is deleted at once, and begins anew.
    @Test
    void aTurnIsAsOldAsItsLastSpending() {
        ahead = Duration.ofDays(3);
        send("t__send", "t1");

        assertThat(spent(next())).extracting(SpentBudget::calledAt).containsExactly(CALLED.plus(ahead));
    }

    @Test
    void aCallThatIsTooLateWhenItIsNotedSpendsNothing() {
        noting = () -> ahead = Duration.ofDays(1);
        ToolError late = requireNonNull(repeated(1, "t__send", "t1").getFirst().error());
        noting = () -> {};

        assertThat(late.message()).contains("it was not started");
        assertThat(RUNS).hasValue(0);
        assertThat(intents).singleElement().satisfies(intent -> assertThat(intent.spent()).hasSize(1));
        assertThat(state.budgets().size()).isZero();
        assertThat(registry.find("toolfleet.budget.spent").counter()).isNull();
    }

    @Test
    void aCallWithoutATurnSpendsOfOneThatDoesNotEnd() {
        assertThat(repeated(3, "t__send", null).getLast())
                .satisfies(last -> assertThat(code(last)).isEqualTo(EXHAUSTED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "agent"})
    void aBudgetOfADayIsFullAgainAtMidnight(String per) {
        parts.close();
        start("{'per':'" + per + "','calls':1,'tool':'t__free'}");
        ahead = Duration.ofHours(1);
        send("t__free", "t1");
        Outcome first = next();
        ToolError error = requireNonNull(repeated(1, "t__free", "t2").getFirst().error());

        assertThat(result(first).status()).isEqualTo(ResultStatus.OK);
        assertThat(first.records()).filteredOn(record -> record.topic().equals("tool.budget")).singleElement()
                .satisfies(record -> assertThat(new String(record.key(), UTF_8)).isEqualTo("0/@budget/calls/acme/later/"
                        + per + ":2026-11-21/-/" + (per.equals("agent") ? "coder" : "")));
        assertThat(error.message()).isEqualTo("Budget 'acme/later' allows 1 call per " + per
                + " and day; 0 left. 't__free' was not started. The budget is full again at 2026-11-22T00:00:00Z.");
    }

    @Test
    void theBundleOfABudgetMayHaveAScope() {
        parts.close();
        bundle = "@acme/builds";
        start("{'per':'user','calls':9,'tool':'t__free'}");

        assertThat(repeated(3, "t__send", "t1")).extracting(ToolResult::status).containsExactly(ResultStatus.OK,
                ResultStatus.OK, ResultStatus.ERROR);
        assertThat(repeated(1, "t__read", "t1").getFirst().status()).as("without an intent").isEqualTo(ResultStatus.OK);
        assertThat(repeated(1, "t__free", "t1").getFirst().status()).as("per user").isEqualTo(ResultStatus.OK);
        assertThat(intents.getFirst().spent()).extracting(SpentBudget::budget)
                .containsExactly("@acme/builds/sends");
    }

    @Test
    void whatOtherWorkersHaveSpentCounts() {
        parts.close();
        PublishedBudget spent = PublishedBudget.of(7,
                SpentBudget.at(new BudgetPlace("acme/later", SpentBudget.CALLS, null,
                        null, null, new Day(Day.Per.USER, LocalDate.ofInstant(CALLED, ZoneOffset.UTC), "")), 8, CALLED),
                List.of());
        others.apply(0, spent.key(), WireCodec.of(PublishedBudget.class).write(spent), 0);
        start("{'per':'user','calls':10,'tool':'t__free'}");

        assertThat(repeated(2, "t__free", "t1")).extracting(ToolResult::status).containsOnly(ResultStatus.OK);
        assertThat(code(repeated(1, "t__free", "t1").getFirst())).isEqualTo(EXHAUSTED);
    }

    @Test
    void aCallIsRefusedWhileTheAmountsOfOtherWorkersCannotBeRead() {
        parts.close();
        unread = true;
        start("{'per':'agent','calls':10,'tool':'t__free'}");

        assertThat(requireNonNull(repeated(1, "t__free", "t1").getFirst().error()).message())
                .contains("cannot be read from tool.budget", "not started");
        assertThat(repeated(1, "t__cheap", "t1").getFirst().status()).as("no budget of an agent or user")
                .isEqualTo(ResultStatus.OK);
        assertThat(RUNS).hasValue(1);
    }

    @Test
    void aBudgetThatThisReleaseCannotReadRefusesItsReach() {
        parts.close();
        start("{'per':'team','calls':9,'tool':'*'}");

        assertThat(requireNonNull(repeated(1, "t__free", "t1").getFirst().error()).message())
                .startsWith("EffectBudget 'acme/later' cannot be read by this worker");
    }

    private static List<SpentBudget> spent(Outcome outcome) {
        return outcome.records().stream().filter(record -> record.topic().equals("tool.journal"))
                .filter(record -> record.value() != null).map(record -> JournalEntry.read(record.value()))
                .filter(SpentBudget.class::isInstance).map(SpentBudget.class::cast).toList();
    }
}
