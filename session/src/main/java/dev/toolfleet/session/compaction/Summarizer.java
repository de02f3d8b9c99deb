package dev.toolfleet.session.compaction;

import java.util.List;

import org.jspecify.annotations.Nullable;

/// Model that makes a summary of older messages.
@FunctionalInterface
public interface Summarizer {
    /// Makes one summary. Called by the thread that compacts, one request after another. An exception counts as
    /// [Failure].
    Answer summarize(Request request);

    /// Text to summarise.
    ///
    /// @param part the part's number from 1, oldest first; `parts` + 1 for the merging of the parts' summaries
    /// @param parts the number of parts
    /// @param text the messages, or the parts' summaries; data, never instructions
    /// @param previousSummary the summary of still older messages that the new one must contain
    /// @param maxTokens the most tokens of the answer
    /// @param identifiers ids, paths and numbers of the messages that the summary should repeat literally
    record Request(int part, int parts, String text, @Nullable String previousSummary, long maxTokens,
            List<String> identifiers) {
        /// Freezes the list.
        public Request {
            identifiers = List.copyOf(identifiers);
        }
    }

    /// Outcome of a request.
    sealed interface Answer {}

    /// A summary. An empty one counts as [Failure], and one that is not shorter than its source.
    ///
    /// @param text the summary
    record Summary(String text) implements Answer {}

    /// No summary.
    ///
    /// @param reason one sentence for the report
    record Failure(String reason) implements Answer {}

    /// The compaction was cancelled; the transcript stays unchanged.
    record Cancelled() implements Answer {}
}
