package dev.toolfleet.session.compaction;

import java.util.OptionalInt;

import dev.toolfleet.session.tokens.TokenCounter;

import static java.util.Objects.requireNonNull;

/// Choices of one compaction.
///
/// @param strategy the steps that may be taken
/// @param targetTokens the tokens that the request may have afterwards, with `fixedTokens`
/// @param fixedTokens the tokens of prompt and tools, which no compaction reduces
/// @param preserveRecentMessages the newest entries that stay untouched, extended to whole frames
/// @param preserveSystemPrompt true to keep entries with the system role
/// @param dropOnFailure true to drop the oldest frames when the summariser fails; otherwise a failure leaves the
///        transcript unchanged
/// @param summarizerWindow the context window of the summariser's model; empty when there is no summariser
/// @param counter counts tokens, as the window's guard does
public record CompactionOptions(Strategy strategy, long targetTokens, long fixedTokens, int preserveRecentMessages,
        boolean preserveSystemPrompt, boolean dropOnFailure, OptionalInt summarizerWindow, TokenCounter counter) {
    /// Factor by which an estimate may be too low.
    private static final double ESTIMATE_MARGIN = 1.2;
    /// Tokens of a summariser's window that its instructions and its answer take.
    private static final int SUMMARIZER_RESERVE = 4096;
    private static final int MIN_SUMMARY = 64;
    private static final int MAX_SUMMARY = 2048;

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException naming the option and its value
    public CompactionOptions {
        requireNonNull(strategy, "strategy");
        requireNonNull(counter, "counter");
        if (targetTokens <= 0)
            throw new IllegalArgumentException("targetTokens must be more than 0, got " + targetTokens);
        if (fixedTokens < 0)
            throw new IllegalArgumentException("fixedTokens must be 0 or more, got " + fixedTokens);
        if (preserveRecentMessages < 0)
            throw new IllegalArgumentException(
                    "preserveRecentMessages must be 0 or more, got " + preserveRecentMessages);
        if (summarizerWindow.isPresent() && chunk(summarizerWindow.getAsInt()) <= 0) {
            throw new IllegalArgumentException("the summariser's window must be more than "
                    + (int) (SUMMARIZER_RESERVE * ESTIMATE_MARGIN) + " tokens, got " + summarizerWindow.getAsInt());
        }
    }

    /// Makes the default options of a `ContextPolicy` without a summariser.
    public static CompactionOptions of(Strategy strategy, long targetTokens) {
        return new CompactionOptions(strategy, targetTokens, 0, 8, true, false, OptionalInt.empty(),
                TokenCounter.STANDARD);
    }

    /// Returns the same options with a summariser of this context window.
    public CompactionOptions summarizedIn(int window) {
        return new CompactionOptions(strategy, targetTokens, fixedTokens, preserveRecentMessages, preserveSystemPrompt,
                dropOnFailure, OptionalInt.of(window), counter);
    }

    /// Returns the same options that keep this many of the newest entries.
    public CompactionOptions preserving(int recentMessages) {
        return new CompactionOptions(strategy, targetTokens, fixedTokens, recentMessages, preserveSystemPrompt,
                dropOnFailure, summarizerWindow, counter);
    }

    /// Returns the same options, which drop the oldest frames when the summariser fails.
    public CompactionOptions droppingOnFailure() {
        return new CompactionOptions(strategy, targetTokens, fixedTokens, preserveRecentMessages, preserveSystemPrompt,
                true, summarizerWindow, counter);
    }

    /// Returns the same options beside this many tokens of prompt and tools.
    public CompactionOptions besides(long tokens) {
        return new CompactionOptions(strategy, targetTokens, tokens, preserveRecentMessages, preserveSystemPrompt,
                dropOnFailure, summarizerWindow, counter);
    }

    /// True when the strategy summarises and there is a summariser.
    boolean summarizes() {
        return summarizerWindow.isPresent() && (strategy == Strategy.SUMMARIZE || strategy == Strategy.HYBRID);
    }

    /// The most tokens of a summary: a tenth of the target, within bounds.
    long summaryTokens() {
        return Math.clamp(targetTokens / 10, MIN_SUMMARY, MAX_SUMMARY);
    }

    /// The most tokens that one call of the summariser may receive.
    long chunkTokens() {
        return chunk(summarizerWindow.orElseThrow());
    }

    private static long chunk(int window) {
        return (long) (window / ESTIMATE_MARGIN) - SUMMARIZER_RESERVE;
    }
}
