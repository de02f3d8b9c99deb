package dev.toolfleet.wire;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

import dev.toolfleet.wire.BudgetPlace.Day;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SpentBudgetTest {
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final String CALL = "f".repeat(32);

    @ParameterizedTest
    @ValueSource(strings = {"ann", "", "a/b", "agent:2026-11-21", "-"})
    void aKeyOfADayNamesItsPlace(String name) {
        BudgetPlace total = new BudgetPlace("acme/mails", "cost", null, null, null,
                new Day(Day.Per.USER, TODAY, name));

        for (BudgetPlace place : List.of(total, total.beside(CALL)))
            assertThat(BudgetPlace.of(place.key())).contains(place);
        assertThat(total.beside(CALL).total()).isEqualTo(total);
        assertThat(SpentBudget.at(total, 3, NOW).place()).isEqualTo(total);
    }

    // Otherwise: the result of a call under such a budget can never be published.
    @Test
    void aBundleMayHaveAScope() {
        Day day = new Day(Day.Per.USER, TODAY, "@x/y");
        for (BudgetPlace total : List.of(new BudgetPlace("@acme/builds/outgoing", "calls", null, null, "@i/1"),
                new BudgetPlace("@acme/builds/outgoing", "calls", CALL, null, "i"),
                new BudgetPlace("@acme/builds/outgoing", "cost", null, null, null, day))) {
            for (BudgetPlace place : List.of(total, total.beside(CALL))) {
                SpentBudget spent = SpentBudget.at(place, 3, NOW);
                WireCodec<SpentBudget> codec = WireCodec.of(SpentBudget.class);
                assertThat(BudgetPlace.of(place.key())).contains(place);
                assertThat(codec.read(codec.write(spent))).isEqualTo(spent);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "mails", "acme/", "/mails", "a/b/c", "@acme/mails", "@acme/builds/", "@acme/a/b/c"})
    void aBudgetIsNamedByItsBundle(String budget) {
        assertThatThrownBy(() -> SpentBudget.at(new BudgetPlace(budget, "calls", null, null, "i"), 1, NOW))
                .hasMessageContaining("@scope/bundle/name").hasMessageContaining("'" + budget + "'");
    }

    @Test
    void keysOfTurnsAndInstancesStay() {
        assertThat(new BudgetPlace("acme/mails", "calls", CALL, null, "i/1").key())
                .isEqualTo("@budget/calls/acme/mails/" + CALL + "/-/i/1");
        assertThat(BudgetPlace.of("@budget/calls/acme/mails/-/" + CALL + "/i/1"))
                .contains(new BudgetPlace("acme/mails", "calls", null, CALL, "i/1"));
    }

    @Test
    void theFleetsKeyHasThePartition() {
        BudgetPlace place = new BudgetPlace("acme/mails", "cost", null, CALL, null,
                new Day(Day.Per.AGENT, TODAY, "a/b"));
        String key = PublishedBudget.of(12, SpentBudget.at(place, 3, NOW), List.of()).key();

        assertThat(key).isEqualTo("12/@budget/cost/acme/mails/agent:2026-11-21/" + CALL + "/a/b");
        assertThat(BudgetPlace.InPartition.of(key)).contains(new BudgetPlace.InPartition(12, place));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "12", "x/@budget/cost/acme/mails/agent:2026-11-21/-/a",
            "1/@budget/cost/acme/mails/-/-/a", "9999999999/@budget/cost/acme/mails/agent:2026-11-21/-/a"})
    void anotherKeyIsNoneOfTheFleets(String key) {
        assertThat(BudgetPlace.InPartition.of(key)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "{} | instanceKey or per",
            "{'instanceKey':'i','per':'user','date':'2026-11-21','name':'u'} | instanceKey or per",
            "{'per':'team','date':'2026-11-21','name':'u'} | agent or user",
            "{'per':'user','date':'yesterday','name':'u'} | 2026-01-31",
            "{'per':'user','date':'2026-11-21'} | name"})
    void anAmountHasOneOwner(String owner, String why) {
        String json = ("{'kind':'budget','budget':'a/b','unit':'calls','amount':1,'calledAt':'2026-11-21T20:00:00Z',"
                + owner.substring(1)).replace(",}", "}").replace('\'', '"');

        assertThatThrownBy(() -> WireCodec.of(SpentBudget.class).read(json.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(WireFormatException.class).hasMessageContaining(why);
    }
}
