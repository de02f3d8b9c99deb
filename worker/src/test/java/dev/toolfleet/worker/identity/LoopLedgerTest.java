package dev.toolfleet.worker.identity;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class LoopLedgerTest {
    private static final Digest128 SAME = Digest128.of("same");
    private static final Digest128 OTHER = Digest128.of("other");

    private final LoopLedger ledger = new LoopLedger();

    @Test
    void aDifferentResultBeginsAtOne() {
        LoopKey key = key("t1", "a");

        assertThat(ledger.ended(key, SAME).count()).isEqualTo(1);
        assertThat(ledger.ended(key, SAME).count()).isEqualTo(2);
        assertThat(ledger.ended(key, OTHER).count()).isEqualTo(1);
        assertThat(ledger.ended(key, SAME).count()).as("not where it was before").isEqualTo(1);
    }

    @Test
    void otherCallsInBetweenChangeNothing() {
        ledger.ended(key("t1", "a"), SAME);
        ledger.ended(key("t1", "b"), OTHER);

        assertThat(ledger.ended(key("t1", "a"), SAME).count()).isEqualTo(2);
    }

    @Test
    void eachTurnBeginsAnew() {
        ledger.ended(key("t1", "a"), SAME);

        assertThat(ledger.count(key("t2", "a"))).isZero();
        assertThat(ledger.ended(key("t2", "a"), SAME).count()).isEqualTo(1);
        assertThat(ledger.count(key("t1", "a"))).as("a late call of the turn before").isEqualTo(1);
    }

    @Test
    void aRefusalCountsAsOneMoreOfTheSameResult() {
        LoopKey key = key("t1", "a");
        ledger.ended(key, SAME);

        assertThat(ledger.refused(key, OTHER)).isEqualTo(new LoopMark(2, key.turn(), SAME));
        assertThat(ledger.ended(key, SAME).count()).isEqualTo(3);
        assertThat(ledger.refused(key("t1", "forgotten"), OTHER).count()).isEqualTo(1);
    }

    @Test
    void theNextOwnerCountsOn() {
        LoopKey key = key("t1", "a");
        ledger.ended(key, SAME);
        LoopMark mark = ledger.ended(key, SAME);
        LoopLedger next = new LoopLedger();

        next.restore(key.call(), requireNonNull(LoopMark.parse(mark.text())));

        assertThat(next.count(key)).isEqualTo(2);
        assertThat(next.ended(key, SAME).count()).isEqualTo(3);
    }

    @Test
    void theCallThatEndedLongestAgoLeavesAFullTurn() {
        for (int n = 0; n < LoopTurn.MOST_CALLS; n++)
            ledger.ended(key("t1", "c" + n), SAME);
        ledger.ended(key("t1", "c0"), SAME);

        ledger.ended(key("t1", "one more"), SAME);

        assertThat(ledger.count(key("t1", "c0"))).isEqualTo(2);
        assertThat(ledger.count(key("t1", "c1"))).isZero();
        assertThat(ledger.count(key("t1", "c2"))).isEqualTo(1);
    }

    @Test
    void theTurnThatEndedACallLongestAgoLeavesAFullPartition() {
        for (int n = 0; n < LoopLedger.MOST_TURNS; n++)
            ledger.ended(key("t" + n, "a"), SAME);
        ledger.ended(key("t0", "a"), SAME);

        ledger.ended(key("one more", "a"), SAME);

        assertThat(ledger.size()).isEqualTo(LoopLedger.MOST_TURNS);
        assertThat(ledger.count(key("t0", "a"))).isEqualTo(2);
        assertThat(ledger.count(key("t1", "a"))).isZero();
    }

    @Test
    void aTextThatIsNoMarkIsPassedOver() {
        String digest = "0".repeat(32);
        assertThat(LoopMark.parse("3 " + digest + " " + digest)).isNotNull();
        for (String text : new String[]{"", "3", "0 " + digest + " " + digest, "x " + digest + " " + digest,
                "3 " + digest + " " + "-".repeat(32), "3 " + digest + " " + digest + " 1", "3 +" + digest.substring(1)
                        + " " + digest,
                "99999999999 " + digest + " " + digest})
            assertThat(LoopMark.parse(text)).as(text).isNull();
    }

    @Test
    void aTurnIsOfOneAgentInOneInstance() {
        assertThat(call("i", "coder", "t", "s1").loopKey()).isEqualTo(call("i", "coder", "t", "s2").loopKey());
        assertThat(call("i", "coder", "t", "s").loopKey()).isNotEqualTo(call("j", "coder", "t", "s").loopKey())
                .isNotEqualTo(call("i", "other", "t", "s").loopKey())
                .isNotEqualTo(call("i", null, "t", "s").loopKey())
                .isNotEqualTo(call("i", "coder", "u", "s").loopKey());
    }

    @Test
    void ofAnEndlessTurnTheStepStandsForTheTurn() {
        String endless = ToolCall.ENDLESS_TURN;

        assertThat(call("i", "coder", endless, "s1").loopKey())
                .isEqualTo(call("i", "coder", endless, "s1").loopKey())
                .isNotEqualTo(call("i", "coder", endless, "s2").loopKey());
    }

    @Test
    void aCallWithoutATurnIsNotCounted() {
        assertThat(IdentifiedCall.of(arrival(ToolCall.of("c", "t__x", args(), "i"))).loopKey()).isNull();
    }

    private static IdentifiedCall call(String instance, @Nullable String agent, String turn, String step) {
        return IdentifiedCall
                .of(arrival(new ToolCall("c", "t__x", args(), instance, agent, turn, step, null, null, null,
                        null, null, null, null, null)));
    }

    private static ObjectNode args() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static Arrival.Call arrival(ToolCall call) {
        return new Arrival.Call(new Position(0, 1, 7), call, 0, null, 10);
    }

    private static LoopKey key(String turn, String call) {
        return new LoopKey(Digest128.of(turn), Digest128.of(call));
    }
}
