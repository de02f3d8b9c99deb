package dev.toolfleet.cli.backtest;

import java.util.List;

import dev.toolfleet.bundle.Verdict;

/// Outcome of judging a past call twice.
sealed interface PastVerdict {
    /// Both policies have decided.
    ///
    /// @param differences none when both decide the same, and no shadow rule would have changed it
    record Judged(Verdict before, Verdict after, List<Difference> differences) implements PastVerdict {}

    /// The call cannot be judged: one of the policies knows no tool of that name.
    record NotJudged(Reason reason) implements PastVerdict {}

    /// Reason why a call is not judged.
    enum Reason {
        /// The agent has no such tool now.
        UNKNOWN("unknown to the fleet now"),
        /// The agent has such a tool now, and has none with the bundle.
        GONE("gone with the bundle"),
        /// Arguments matter to the decision, and cannot be read.
        MALFORMED("malformed");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }
}
