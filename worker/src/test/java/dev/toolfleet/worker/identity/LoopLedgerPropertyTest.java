package dev.toolfleet.worker.identity;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// The ledger counts as an ordered map of objects would, and the next owner of the partition counts on.
class LoopLedgerPropertyTest {

    /// One end of a call.
    record End(int turn, int call, int result, boolean refused) {
        LoopKey key() {
            return new LoopKey(digest(turn), digest(call));
        }
    }

    private record Streak(Digest128 result, int count) {}

    @Provide
    Arbitrary<List<End>> ends() {
        Arbitrary<Integer> calls = Arbitraries.oneOf(Arbitraries.integers().between(0, 3),
                Arbitraries.integers().between(0, 90));
        return Combinators.combine(Arbitraries.integers().between(0, 2), calls, Arbitraries.integers().between(0, 1),
                Arbitraries.of(false, false, false, true)).as(End::new).list().ofMaxSize(600);
    }

    @Property(tries = 200)
    void itCountsAsAnOrderedMapWould(@ForAll("ends") List<End> ends) {
        LoopLedger ledger = new LoopLedger();
        Map<Digest128, LinkedHashMap<Digest128, Streak>> model = new HashMap<>();
        for (End end : ends) {
            LinkedHashMap<Digest128, Streak> turn = model.computeIfAbsent(end.key().turn(), _ -> new LinkedHashMap<>());
            Streak before = turn.remove(end.key().call());
            assertThat(ledger.count(end.key())).isEqualTo(before == null ? 0 : before.count());
            Digest128 result = end.refused() && before != null ? before.result() : digest(end.result());
            int count = before != null && before.result().equals(result) ? before.count() + 1 : 1;
            turn.put(end.key().call(), new Streak(result, count));
            if (turn.size() > LoopTurn.MOST_CALLS)
                turn.pollFirstEntry();

            assertThat(note(ledger, end)).isEqualTo(new LoopMark(count, end.key().turn(), result));
        }
    }

    @Property(tries = 100)
    void theNextOwnerCountsOn(@ForAll("ends") List<End> before, @ForAll("ends") List<End> after) {
        LoopLedger ledger = new LoopLedger();
        LoopLedger next = new LoopLedger();
        for (End end : before)
            next.restore(end.key().call(), requireNonNull(LoopMark.parse(note(ledger, end).text())));

        for (End end : after)
            assertThat(note(next, end)).isEqualTo(note(ledger, end));
    }

    private static LoopMark note(LoopLedger ledger, End end) {
        return end.refused()
                ? ledger.refused(end.key(), digest(end.result()))
                : ledger.ended(end.key(), digest(end.result()));
    }

    private static Digest128 digest(int number) {
        return Digest128.of("d" + number);
    }
}
