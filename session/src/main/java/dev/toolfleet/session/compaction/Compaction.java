package dev.toolfleet.session.compaction;

import java.util.Comparator;
import java.util.List;

import dev.toolfleet.session.transcript.Entry;
import org.jspecify.annotations.Nullable;

/// Outcome of a compaction. In all cases but [Done] the transcript stays as it was.
public sealed interface Compaction {
    /// The request fits already.
    ///
    /// @param tokens the request's tokens
    record NotNeeded(long tokens) implements Compaction {}

    /// The parts that no step reduces leave no room.
    ///
    /// @param reason one sentence that names the parts
    /// @param fixedTokens the tokens of these parts
    record CannotFit(String reason, long fixedTokens) implements Compaction {}

    /// The summariser failed, or nothing could be reclaimed.
    ///
    /// @param reason one sentence for the report
    /// @param tokens the request's tokens
    record Failed(String reason, long tokens) implements Compaction {}

    /// The summariser reported a cancellation.
    record Cancelled() implements Compaction {}

    /// The transcript is shorter.
    ///
    /// @param entries the new transcript, in the old order
    /// @param summary the text of the new summary, if one was made
    /// @param removedCount entries that the summary replaces, or that were dropped
    /// @param beforeTokens the request's tokens before
    /// @param afterTokens the request's tokens now, always less
    /// @param targetMet true when `afterTokens` is at most the target
    /// @param applied the steps in their order
    /// @param perFrame the fate of each frame, in the transcript's order
    /// @param failure the summariser's failure, when other steps were taken instead
    record Done(List<Entry> entries, @Nullable String summary, int removedCount, long beforeTokens, long afterTokens,
            boolean targetMet, List<Strategy> applied, List<FrameFate> perFrame, @Nullable String failure)
            implements
                Compaction {
        /// Freezes the lists.
        public Done {
            entries = List.copyOf(entries);
            applied = List.copyOf(applied);
            perFrame = List.copyOf(perFrame);
        }

        /// Returns the applied step with the greatest loss.
        public Strategy strategy() {
            return applied.stream().max(Comparator.naturalOrder()).orElseThrow();
        }
    }

    /// Fate of a frame, or of an entry outside of frames.
    ///
    /// @param index the position of its first entry in the old transcript
    /// @param size the number of its entries
    /// @param fate what became of it
    record FrameFate(int index, int size, Fate fate) {}

    /// Kinds of [FrameFate].
    enum Fate {
        /// Unchanged.
        KEPT,
        /// Kept, with shorter results.
        SHRUNK,
        /// Replaced by the summary.
        SUMMARIZED,
        /// Left out.
        DROPPED
    }
}
