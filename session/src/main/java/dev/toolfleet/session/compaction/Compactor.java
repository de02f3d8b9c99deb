package dev.toolfleet.session.compaction;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.toolfleet.session.compaction.Compaction.Cancelled;
import dev.toolfleet.session.compaction.Compaction.CannotFit;
import dev.toolfleet.session.compaction.Compaction.Done;
import dev.toolfleet.session.compaction.Compaction.Failed;
import dev.toolfleet.session.compaction.Compaction.NotNeeded;
import dev.toolfleet.session.compaction.Summarizer.Answer;
import dev.toolfleet.session.compaction.Summarizer.Request;
import dev.toolfleet.session.transcript.Entry;
import org.jspecify.annotations.Nullable;

/// Compaction of a repaired transcript (seed 003, sections 4.7 and 5.4).
///
/// **Contract.** A compaction never splits a frame, never reorders, and never makes the request longer. Entries of the
/// agent's author, the newest entries and frames with open calls stay untouched. The summariser is called at most once
/// for each part of the transcript, and once to merge. It is not called when the untouched parts leave no room.
///
/// **Threads.** Pure functions; [#compact] calls the summariser in the caller's thread.
///
/// **Why.** [#next] decides from the transcript and the answers so far. A service whose summariser answers later, or
/// that restarts in between, repeats it with one more answer and comes to the same requests.
public final class Compactor {
    private static final int MAX_PASSES = 3;
    /// An excess below one part in five of the request is reclaimed from long results alone.
    private static final int HYBRID_PARTS = 5;

    private Compactor() {}

    /// Decision of [#next].
    public sealed interface Step {}

    /// The summariser has to answer.
    ///
    /// @param request the request after the answers so far
    public record Ask(Request request) implements Step {}

    /// The compaction is over.
    ///
    /// @param outcome its outcome
    public record End(Compaction outcome) implements Step {}

    /// Compacts a transcript.
    ///
    /// @param entries repaired entries, oldest first; not changed
    /// @param summarizer is called only when the options have a summariser's window
    public static Compaction compact(List<Entry> entries, CompactionOptions options, Summarizer summarizer) {
        List<Answer> answers = new ArrayList<>();
        while (true) {
            switch (next(entries, options, answers)) {
                case End end -> {
                    return end.outcome();
                }
                case Ask ask -> answers.add(answer(summarizer, ask.request()));
            }
        }
    }

    /// Decides how a compaction goes on after some answers of the summariser.
    ///
    /// @param answers the answers to the requests before, in their order
    public static Step next(List<Entry> entries, CompactionOptions options, List<Answer> answers) {
        Draft draft = new Draft(entries, options);
        long before = draft.total();
        if (before <= options.targetTokens())
            return new End(new NotNeeded(before));
        CannotFit cannotFit = cannotFit(draft, options);
        return cannotFit != null ? new End(cannotFit) : new Run(draft, options, answers, before).next();
    }

    private static @Nullable CannotFit cannotFit(Draft draft, CompactionOptions options) {
        if (draft.units.stream().noneMatch(Draft.Unit::isCompactable))
            return new CannotFit("every message is preserved", draft.fixed());
        long fixed = draft.fixed() + (options.summarizes() ? options.summaryTokens() : 0);
        if (fixed < options.targetTokens())
            return null;
        return new CannotFit("system prompt, tools, preserved messages and the summary's reserve have " + fixed
                + " tokens, and the target is " + options.targetTokens(), fixed);
    }

    private static Answer answer(Summarizer summarizer, Request request) {
        try {
            return summarizer.summarize(request);
        } catch (RuntimeException e) {
            return new Summarizer.Failure("the summariser failed: " + e);
        }
    }

    /// One evaluation of [#next].
    private static final class Run {
        private final Draft draft;
        private final CompactionOptions options;
        private final List<Answer> answers;
        private final long before;
        private final Set<Strategy> applied = new LinkedHashSet<>();

        Run(Draft draft, CompactionOptions options, List<Answer> answers, long before) {
            this.draft = draft;
            this.options = options;
            this.answers = answers;
            this.before = before;
        }

        Step next() {
            boolean small = (before - options.targetTokens()) * HYBRID_PARTS < before;
            switch (options.strategy()) {
                case TRUNCATE_TOOLS -> shrink(2000, 400, 0);
                case HYBRID -> shrink(2000, 400);
                case TRUNCATE_OLDEST -> dropOldest();
                case SUMMARIZE -> {
                }
            }
            String failure = null;
            if (options.summarizes() && (draft.total() > options.targetTokens() || !small)) {
                SummaryStep.Pass pass = summarize();
                switch (pass) {
                    case SummaryStep.Pass.Needs needs -> {
                        return new Ask(needs.request());
                    }
                    case SummaryStep.Pass.Cancelled cancelled -> {
                        return new End(new Cancelled());
                    }
                    case SummaryStep.Pass.Failed failed -> failure = failed.reason();
                    case SummaryStep.Pass.Applied ignored -> {
                    }
                    case SummaryStep.Pass.Exhausted ignored -> {
                    }
                }
            }
            return new End(end(failure));
        }

        private Compaction end(@Nullable String failure) {
            boolean summarized = options.strategy() == Strategy.SUMMARIZE || options.strategy() == Strategy.HYBRID;
            if (summarized && options.dropOnFailure() && draft.total() > options.targetTokens())
                dropOldest();
            if (failure != null && !options.dropOnFailure() && draft.total() > options.targetTokens())
                return new Failed(failure, before);
            if (applied.isEmpty())
                return new Failed(failure == null ? nothingReclaimed() : failure, before);
            Entry summary = draft.summary();
            return new Done(draft.entries(), summary == null ? null : summary.content().asString(""), draft.removed(),
                    before, draft.total(), draft.total() <= options.targetTokens(), List.copyOf(applied),
                    draft.fates(), failure);
        }

        private String nothingReclaimed() {
            boolean noSummarizer = options.summarizerWindow().isEmpty()
                    && options.strategy() != Strategy.TRUNCATE_TOOLS;
            return "strategy " + options.strategy().wireName() + " reclaimed nothing"
                    + (noSummarizer ? "; there is no summariser" : "");
        }

        private void shrink(int... lengths) {
            if (ToolShrinker.shrink(draft, options.targetTokens(), options.counter(), lengths))
                applied.add(Strategy.TRUNCATE_TOOLS);
        }

        /// Each pass takes more of the oldest units, since a summary may be longer than requested.
        private SummaryStep.Pass summarize() {
            SummaryStep step = new SummaryStep(options, answers, draft);
            SummaryStep.Pass pass = step.apply(draft);
            for (int passes = 1; pass instanceof SummaryStep.Pass.Applied; passes++) {
                applied.add(Strategy.SUMMARIZE);
                if (draft.total() <= options.targetTokens() || passes == MAX_PASSES)
                    break;
                pass = step.apply(draft);
            }
            return pass;
        }

        private void dropOldest() {
            for (Draft.Unit unit : draft.units) {
                if (draft.total() <= options.targetTokens())
                    return;
                if (unit.isCompactable()) {
                    draft.drop(unit);
                    applied.add(Strategy.TRUNCATE_OLDEST);
                }
            }
        }
    }
}
