package dev.toolfleet.cli.backtest;

import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FoundCallsTest {
    private final FindingGroup one = new FindingGroup();
    private final FindingGroup other = new FindingGroup();

    @Test
    void aResultCountsForEachGroupOfItsCall() {
        FoundCalls found = new FoundCalls(10);
        found.add(3, 7, one);
        found.add(3, 7, other);
        found.add(3, 9, one);
        found.add(4, 7, one);

        assertThat(found.has(3, 7)).isTrue();
        assertThat(found.has(3, 8)).isFalse();
        assertThat(found.has(5, 7)).isFalse();
        found.returned(3, 7, Returned.OK);
        found.results(FindingGroup::returned);

        assertThat(one.count(Returned.OK)).isEqualTo(1);
        assertThat(one.count(Returned.NONE)).isEqualTo(2);
        assertThat(other.count(Returned.OK)).isEqualTo(1);
    }

    @Test
    void aFinalResultCountsWhateverComesBehindIt() {
        assertThat(Returned.NONE.then(Returned.PENDING)).isEqualTo(Returned.PENDING);
        assertThat(Returned.PENDING.then(Returned.ERROR)).isEqualTo(Returned.ERROR);
        assertThat(Returned.OK.then(Returned.PENDING)).isEqualTo(Returned.OK);
    }

    @Test
    void beyondItsBoundResultsAreUnknown() {
        FoundCalls found = new FoundCalls(5_000);
        for (int offset = 0; offset < 6_000; offset++) {
            one.call();
            found.add(0, offset, one);
        }
        for (int offset = 0; offset < 6_000; offset++)
            found.returned(0, offset, Returned.OK);
        found.results(FindingGroup::returned);

        Map<Returned, Long> counts = new HashMap<>();
        for (Returned returned : Returned.values())
            counts.put(returned, one.count(returned));
        assertThat(counts).containsEntry(Returned.OK, 5_000L).containsEntry(Returned.UNKNOWN, 1_000L)
                .containsEntry(Returned.NONE, 0L);
    }
}
