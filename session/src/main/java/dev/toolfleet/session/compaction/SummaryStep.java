package dev.toolfleet.session.compaction;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;

import dev.toolfleet.session.compaction.Summarizer.Answer;
import dev.toolfleet.session.compaction.Summarizer.Request;
import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Role;
import dev.toolfleet.session.window.Breakdown;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Step that replaces the oldest units by a summary. The answers so far decide how far it goes: it returns the next
/// request when one is missing.
final class SummaryStep {
    /// Metadata of a summary's entry: `true`.
    static final String SUMMARY = "summary";
    /// Metadata of a summary's entry: the identifiers of the messages that it replaces.
    static final String IDENTIFIERS = "identifiers";

    private static final long MAX_CALLS = 1_000_000;

    private final CompactionOptions options;
    private final Iterator<Answer> answers;
    private int callsLeft;
    private boolean started;

    /// Outcome of one pass.
    sealed interface Pass {
        /// The summary is in the draft.
        record Applied() implements Pass {}

        /// Nothing can be summarised, or the calls of the summariser are used up.
        record Exhausted() implements Pass {}

        /// The summariser has to answer this first.
        record Needs(Request request) implements Pass {}

        /// The draft is as before.
        record Failed(String reason) implements Pass {}

        /// The summariser reported a cancellation.
        record Cancelled() implements Pass {}
    }

    /// @param answers the answers so far, in the order of the requests
    /// @param draft the whole transcript, which bounds the calls: one for each part of it, and one to merge
    SummaryStep(CompactionOptions options, List<Answer> answers, Draft draft) {
        this.options = options;
        this.answers = answers.iterator();
        long tokens = draft.units.stream().filter(Draft.Unit::isCompactable).mapToLong(unit -> unit.tokens).sum();
        callsLeft = 1 + Math.toIntExact(Math.min(MAX_CALLS, Math.ceilDiv(tokens, options.chunkTokens())));
    }

    /// Summarises enough of the oldest units to reach the target.
    Pass apply(Draft draft) {
        List<Draft.Unit> selected = select(draft);
        if (selected.isEmpty())
            return new Pass.Exhausted();
        Entry previous = draft.summary();
        List<Entry> source = new ArrayList<>();
        long sourceTokens = previous == null ? 0 : options.counter().entry(previous);
        for (Draft.Unit unit : selected) {
            sourceTokens += unit.tokens;
            for (Entry entry : unit.entries) {
                if (Breakdown.isSummary(entry))
                    previous = entry;
                else
                    source.add(entry);
            }
        }
        return source.isEmpty() ? new Pass.Exhausted() : summarize(draft, selected, source, sourceTokens, previous);
    }

    private Pass summarize(Draft draft, List<Draft.Unit> selected, List<Entry> source, long sourceTokens,
            @Nullable Entry previous) {
        List<String> parts = SourceText.parts(source, options.chunkTokens(), options.counter());
        int calls = parts.size() + (parts.size() > 1 ? 1 : 0);
        // Messages fill their parts badly, so the first pass may need more calls than their tokens.
        callsLeft = started ? callsLeft : Math.max(callsLeft, calls);
        started = true;
        if (calls > callsLeft)
            return new Pass.Exhausted();
        String older = previous == null ? null : previous.content().asString("");
        List<String> summaries = new ArrayList<>();
        for (int n = 0; n < parts.size(); n++) {
            String text = parts.size() == 1
                    ? parts.get(n)
                    : "Part " + (n + 1) + " of " + parts.size() + ", oldest first.\n" + parts.get(n);
            Pass pass = answer(n + 1, parts.size(), text, n == 0 ? older : null, summaries);
            if (!(pass instanceof Pass.Applied))
                return pass;
        }
        if (summaries.size() > 1) {
            Pass pass = merge(summaries);
            if (!(pass instanceof Pass.Applied))
                return pass;
        }
        return accept(draft, selected, source, sourceTokens, previous, summaries.getLast());
    }

    private Pass merge(List<String> summaries) {
        StringBuilder text = new StringBuilder();
        for (int n = 0; n < summaries.size(); n++)
            text.append("Summary of part ").append(n + 1).append(", oldest first:\n").append(summaries.get(n))
                    .append('\n');
        String all = text.toString();
        if (options.counter().text(all) > options.chunkTokens())
            return new Pass.Failed("the parts' summaries exceed the summariser's window; they cannot be merged");
        return answer(summaries.size() + 1, summaries.size(), all, null, summaries);
    }

    private Pass answer(int part, int parts, String text, @Nullable String older, List<String> summaries) {
        if (!answers.hasNext()) {
            return new Pass.Needs(new Request(part, parts, text, older, options.summaryTokens(), Identifiers.in(text)));
        }
        callsLeft--;
        return switch (answers.next()) {
            case Summarizer.Cancelled cancelled -> new Pass.Cancelled();
            case Summarizer.Failure failure -> new Pass.Failed(failure.reason());
            case Summarizer.Summary summary when summary.text().isBlank() ->
                new Pass.Failed("the summariser returned an empty summary");
            case Summarizer.Summary summary -> {
                summaries.add(summary.text().strip());
                yield new Pass.Applied();
            }
        };
    }

    private Pass accept(Draft draft, List<Draft.Unit> selected, List<Entry> source, long sourceTokens,
            @Nullable Entry previous, String text) {
        Entry summary = summary(source, previous, text);
        long tokens = options.counter().entry(summary);
        if (tokens >= sourceTokens) {
            return new Pass.Failed("the summary has " + tokens + " tokens, and the messages that it replaces have "
                    + sourceTokens);
        }
        draft.summarize(selected, summary, tokens);
        return new Pass.Applied();
    }

    /// The oldest units, as many as reach the target beside a summary of full length. A summary of fewer tokens than
    /// twice its length would not be shorter than its source, so there are at least as many.
    private List<Draft.Unit> select(Draft draft) {
        long needed = Math.max(draft.total() - options.targetTokens() + options.summaryTokens(),
                2 * options.summaryTokens());
        List<Draft.Unit> selected = new ArrayList<>();
        long tokens = 0;
        for (Draft.Unit unit : draft.units) {
            if (tokens >= needed)
                break;
            if (unit.isCompactable()) {
                selected.add(unit);
                tokens += unit.tokens;
            }
        }
        return selected;
    }

    /// The summary has the role of a user: text of tools must not gain the authority of the agent's author.
    private Entry summary(List<Entry> source, @Nullable Entry previous, String text) {
        List<String> identifiers = identifiers(source, previous);
        StringBuilder content = new StringBuilder(Breakdown.SUMMARY_MARKER).append('\n').append(text);
        long room = options.summaryTokens() / 2;
        boolean first = true;
        for (String identifier : identifiers) {
            if (text.contains(identifier))
                continue;
            room -= options.counter().text(identifier) + 1;
            if (room < 0)
                break;
            content.append(first ? "\nIdentifiers: " : ", ").append(identifier);
            first = false;
        }
        ObjectNode metadata = JsonNodeFactory.instance.objectNode().put(SUMMARY, true);
        ArrayNode table = metadata.putArray(IDENTIFIERS);
        identifiers.forEach(table::add);
        Instant at = source.getLast().at();
        return new Entry(id(source), Role.USER, StringNode.valueOf(content.toString()), at, List.of(), null, null,
                metadata);
    }

    private static List<String> identifiers(List<Entry> source, @Nullable Entry previous) {
        StringBuilder text = new StringBuilder();
        if (previous != null)
            previous.metadata().path(IDENTIFIERS).forEach(node -> text.append(node.asString("")).append('\n'));
        SourceText.parts(source, Long.MAX_VALUE, TokenCounter.STANDARD).forEach(text::append);
        return Identifiers.in(text.toString());
    }

    /// The same compaction on another machine writes the same id.
    private static @Nullable String id(List<Entry> source) {
        String from = source.getFirst().id();
        String to = source.getLast().id();
        return from == null || to == null
                ? null
                : "summary-" + UUID.nameUUIDFromBytes((from + "\n" + to).getBytes(StandardCharsets.UTF_8));
    }
}
