package dev.toolfleet.cli.backtest;

import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LabelHistoryTest {
    private static final PastLabels UNTRUSTED = labels("untrusted");
    private static final PastLabels SENSITIVE = labels("sensitive");

    private final LabelHistory history = new LabelHistory(2);

    @Test
    void aCallHasTheLabelsOfTheResultsBeforeIt() {
        history.add(0, "i", 100, 1, UNTRUSTED);
        history.add(0, "i", 200, 2, SENSITIVE);
        history.add(0, "i", 300, 3, UNTRUSTED);

        assertThat(history.at(0, "i", 99, 9)).isEqualTo(PastLabels.NONE);
        assertThat(history.at(0, "i", 100, 9)).isEqualTo(UNTRUSTED);
        assertThat(history.at(0, "i", 199, 9)).isEqualTo(UNTRUSTED);
        assertThat(history.at(0, "i", 200, 9)).isEqualTo(labels("untrusted", "sensitive"));
        assertThat(history.at(0, "other", 900, 9)).isEqualTo(PastLabels.NONE);
        assertThat(history.at(1, "i", 900, 9)).as("another partition").isEqualTo(PastLabels.NONE);
    }

    /// The broker gives both records the same time.
    @Test
    void aResultDoesNotCountForItsOwnCallNorForEarlierOnes() {
        history.add(0, "i", 100, 5, UNTRUSTED);

        assertThat(history.at(0, "i", 100, 4)).isEqualTo(PastLabels.NONE);
        assertThat(history.at(0, "i", 100, 5)).isEqualTo(PastLabels.NONE);
        assertThat(history.at(0, "i", 100, 6)).isEqualTo(UNTRUSTED);
    }

    @Test
    void aClockThatGoesBackMovesNoLabelBeforeAnEarlierResult() {
        history.add(0, "i", 200, 1, UNTRUSTED);
        history.add(0, "i", 100, 2, SENSITIVE);

        assertThat(history.at(0, "i", 150, 9)).isEqualTo(PastLabels.NONE);
        assertThat(history.at(0, "i", 200, 9)).isEqualTo(labels("untrusted", "sensitive"));
    }

    @Test
    void labelsOfInstancesBeyondTheBoundAreCountedAsNotKept() {
        history.add(0, "a", 100, 1, UNTRUSTED);
        history.add(1, "b", 100, 1, UNTRUSTED);
        history.add(0, "c", 100, 2, UNTRUSTED);
        history.add(0, "c", 100, 3, PastLabels.NONE);
        history.add(0, "a", 200, 4, SENSITIVE);

        assertThat(history.dropped()).isEqualTo(1);
        assertThat(history.at(0, "c", 900, 9)).isEqualTo(PastLabels.NONE);
        assertThat(history.at(0, "a", 900, 9)).isEqualTo(labels("untrusted", "sensitive"));
    }

    @Test
    void bothSidesAreShownWhereTheyDiffer() {
        assertThat(PastLabels.NONE.text()).isEqualTo("–");
        assertThat(labels("untrusted", "sensitive").text()).isEqualTo("sensitive, untrusted");
        assertThat(new PastLabels(Set.of(), Set.of("untrusted")).text()).isEqualTo("– → untrusted");
    }

    private static PastLabels labels(String... names) {
        return new PastLabels(Set.of(names), Set.of(names));
    }
}
