package dev.toolfleet.session.tokens;

import java.util.List;

import dev.toolfleet.session.transcript.Call;
import dev.toolfleet.session.transcript.Entry;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;

/// Counter of the tokens of texts and entries, with one estimator. Thread-safe.
///
/// **Why.** The window's guard and compaction must agree. Otherwise: compaction reports its target as met, the guard
/// still finds the window exceeded, and compaction starts again at every step.
///
/// @param estimator estimates each text
public record TokenCounter(TokenEstimator estimator) {
    /// Tokens that a provider adds for each message: its role and its separators.
    public static final int MESSAGE_OVERHEAD = 4;
    /// The counter of an uncalibrated estimator.
    public static final TokenCounter STANDARD = new TokenCounter(TokenEstimator.STANDARD);

    /// Checks that the estimator is present.
    public TokenCounter {
        requireNonNull(estimator, "estimator");
    }

    /// Returns the tokens of a text, rounded up.
    ///
    /// @throws IllegalStateException when the estimator returns a negative or no number
    public long text(String text) {
        double tokens = estimator.tokens(text);
        if (!(tokens >= 0) || Double.isInfinite(tokens)) {
            throw new IllegalStateException("the token estimator returned " + tokens + " for " + text.length()
                    + " characters; it must return 0 or more");
        }
        return (long) Math.ceil(tokens);
    }

    /// Returns the tokens of an entry: content, calls with their arguments, and overhead.
    public long entry(Entry entry) {
        long tokens = MESSAGE_OVERHEAD + json(entry.content());
        for (Call call : entry.calls())
            tokens += MESSAGE_OVERHEAD + text(call.toolName()) + json(call.args());
        return tokens;
    }

    /// Returns the tokens of all entries.
    public long entries(List<Entry> entries) {
        long tokens = 0;
        for (Entry entry : entries)
            tokens += entry(entry);
        return tokens;
    }

    /// Returns the tokens of a tree: of a text itself, of other values in their JSON form.
    public long json(JsonNode value) {
        return value.isString() ? text(value.stringValue()) : text(value.toString());
    }
}
