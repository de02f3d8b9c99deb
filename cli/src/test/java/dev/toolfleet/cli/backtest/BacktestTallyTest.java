package dev.toolfleet.cli.backtest;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.policy.Cause;
import dev.toolfleet.policy.Stage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BacktestTallyTest {
    private static final Difference DENIED = new Difference(Finding.DENIED, Verdict.ALLOW, "default-policy/allow",
            Verdict.DENY, new Cause(Stage.TOOL_POLICY, Verdict.DENY, "a/p/no", "No | `more` [calls](x)."));

    @Test
    void theNewestExamplesOfAllReadersAreKept() {
        BacktestTally one = new BacktestTally(2);
        BacktestTally other = new BacktestTally(2);
        for (int millis : List.of(1, 4, 2))
            one.offer(example(millis));
        other.offer(example(3));
        one.add(other);

        assertThat(one.examples(Finding.DENIED)).extracting(example -> example.at().toEpochMilli())
                .containsExactly(4L, 3L);
    }

    @Test
    void inventedNamesAreCountedTogetherAndTheTotalIsExact() {
        BacktestTally tally = new BacktestTally(0);
        int calls = BacktestTally.MAX_GROUPS + 500;
        for (int i = 0; i < calls; i++) {
            tally.count(DENIED, call("invented" + i));
            tally.notJudged(PastVerdict.Reason.UNKNOWN, "invented" + i);
        }

        assertThat(tally.calls(Finding.DENIED)).isEqualTo(calls);
        assertThat(tally.groups(Finding.DENIED)).hasSize(BacktestTally.MAX_GROUPS + 1);
        assertThat(tally.unjudged().getFirst().getValue()).isEqualTo(500);
        assertThat(tally.examples(Finding.DENIED)).isEmpty();
    }

    @Test
    void markdownHoldsTextsOfStrangersAsText() {
        BacktestTally tally = new BacktestTally(1);
        PastCall call = new PastCall("c", "a|b`c", "@everyone", null, null, null);
        tally.count(DENIED, call);
        tally.offer(new Example(new Example.Place(0, 7), 0, call, PastLabels.NONE, DENIED));
        BacktestReport report = new BacktestReport("acme", new BacktestQuery(Instant.EPOCH, null, null, 1), tally,
                List.of(Finding.DENIED));

        assertThat(new BacktestMarkdown(report, 20).lines()).contains(
                "| `a\\|b'c` | – | – | 1 | 0 | 0 | 0 | 0 |",
                "| `0-7` | `@everyone` | 1970-01-01T00:00:00Z | `a\\|b'c` | – | – | no result | allow → deny | `a/p/no` |"
                        + " No \\| \\`more\\` \\[calls\\]\\(x\\). |");
    }

    private static Example example(int millis) {
        return new Example(new Example.Place(0, millis), millis, call("t__x"), PastLabels.NONE, DENIED);
    }

    private static PastCall call(String tool) {
        return new PastCall("c", tool, "i", "coder", null, null);
    }
}
