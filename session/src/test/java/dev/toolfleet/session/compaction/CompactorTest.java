package dev.toolfleet.session.compaction;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.session.compaction.Compaction.CannotFit;
import dev.toolfleet.session.compaction.Compaction.Done;
import dev.toolfleet.session.compaction.Compaction.Failed;
import dev.toolfleet.session.compaction.Compaction.Fate;
import dev.toolfleet.session.compaction.Compaction.NotNeeded;
import dev.toolfleet.session.compaction.Summarizer.Answer;
import dev.toolfleet.session.compaction.Summarizer.Failure;
import dev.toolfleet.session.compaction.Summarizer.Request;
import dev.toolfleet.session.compaction.Summarizer.Summary;
import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.session.transcript.CallFacts;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Lines;
import dev.toolfleet.session.transcript.Role;
import dev.toolfleet.session.transcript.Transcript;
import dev.toolfleet.session.window.Breakdown;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.MissingNode;

import static dev.toolfleet.session.compaction.Strategy.HYBRID;
import static dev.toolfleet.session.compaction.Strategy.SUMMARIZE;
import static dev.toolfleet.session.compaction.Strategy.TRUNCATE_OLDEST;
import static dev.toolfleet.session.compaction.Strategy.TRUNCATE_TOOLS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class CompactorTest {
    private static final int WINDOW = 100_000;

    private final List<Request> requests = new ArrayList<>();

    @Test
    @DisplayName("CMP-01, CMP-23 under the target: unchanged, no step, also when it is repeated at once")
    void nothingIsDoneUnderTheTarget() {
        List<Entry> entries = messages(4, 400);
        long tokens = TokenCounter.STANDARD.entries(entries);
        assertThat(compact(entries, summarizing(HYBRID, tokens))).isEqualTo(new NotNeeded(tokens));
        Done done = done(compact(messages(10, 4_000), summarizing(SUMMARIZE, 8_000).preserving(2)));
        assertThat(compact(done.entries(), summarizing(SUMMARIZE, 8_000).preserving(2)))
                .isInstanceOf(NotNeeded.class);
    }

    @Test
    @DisplayName("CMP-02 truncate-tools shrinks a big result; beginning and end stay")
    void bigResultIsShrunk() {
        List<Entry> entries = Lines.entries("calls a\nresult a begin" + "x".repeat(8_000) + "end\nuser thanks");
        Done done = done(compact(entries, CompactionOptions.of(TRUNCATE_TOOLS, 1_000).preserving(1)));
        assertThat(done.entries().get(1).content().stringValue()).startsWith("beginxxx").endsWith("xxxend")
                .contains("\n[Result truncated for context management]\n").hasSizeLessThan(2_100);
        assertThat(done.strategy()).isEqualTo(TRUNCATE_TOOLS);
        assertThat(done.perFrame()).extracting(Compaction.FrameFate::fate).containsExactly(Fate.SHRUNK, Fate.KEPT);
    }

    @Test
    @DisplayName("CMP-03 truncate-oldest keeps the last two messages")
    void oldestAreDropped() {
        List<Entry> entries = messages(6, 400);
        Done done = done(compact(entries, CompactionOptions.of(TRUNCATE_OLDEST, 210).preserving(2)));
        assertThat(done.entries()).isEqualTo(entries.subList(4, 6));
        assertThat(done.removedCount()).isEqualTo(4);
    }

    @Test
    @DisplayName("CMP-04, CMP-20 summarize yields one summary entry, which has the role of a user")
    void summaryReplacesTheOldest() {
        List<Entry> entries = messages(10, 4_000);
        Done done = done(compact(entries, summarizing(SUMMARIZE, 8_000).preserving(2)));
        Entry summary = done.entries().getFirst();
        assertThat(summary.role()).isEqualTo(Role.USER);
        assertThat(summary.content().stringValue()).isEqualTo("[Previous conversation summary]\nsummary 1");
        assertThat(done.entries().subList(1, done.entries().size()))
                .isEqualTo(entries.subList(entries.size() - done.entries().size() + 1, entries.size()));
        assertThat(done.summary()).isEqualTo(summary.content().stringValue());
        assertThat(requests).singleElement()
                .satisfies(request -> assertThat(request.text()).startsWith("user: 0 xxx").contains("user: 2 xxx"));
    }

    @Test
    @DisplayName("CMP-05 hybrid is never the reported strategy")
    void reportNamesTheSteps() {
        List<Entry> entries = new ArrayList<>(messages(10, 4_000));
        entries.addAll(0, Lines.entries("calls a\nresult a " + "x".repeat(8_000)));
        Done done = done(compact(entries, summarizing(HYBRID, 7_000).preserving(2)));
        assertThat(done.applied()).containsExactly(TRUNCATE_TOOLS, SUMMARIZE);
        assertThat(done.strategy()).isEqualTo(SUMMARIZE);
    }

    @Test
    @DisplayName("CMP-06 failing summariser: the oldest are dropped where the policy says so, without a summary")
    void failureDropsTheOldestWhenAsked() {
        Done done = done(Compactor.compact(messages(10, 4_000),
                summarizing(SUMMARIZE, 8_000).preserving(2).droppingOnFailure(), request -> new Failure("no model")));
        assertThat(done.strategy()).isEqualTo(TRUNCATE_OLDEST);
        assertThat(done.summary()).isNull();
        assertThat(done.failure()).isEqualTo("no model");
        assertThat(done.targetMet()).isTrue();
    }

    @Test
    @DisplayName("CMP-07 a drop of one of four messages: the oldest goes, the newest stays")
    void oldestGoesFirst() {
        List<Entry> entries = messages(4, 400);
        Done done = done(compact(entries, CompactionOptions.of(TRUNCATE_OLDEST, 330).preserving(0)));
        assertThat(done.entries()).isEqualTo(entries.subList(1, 4));
    }

    @Test
    @DisplayName("CMP-08, CMP-18 the system entry stays intact, and survivors keep their order")
    void systemEntryStays() {
        List<Entry> entries = new ArrayList<>(messages(10, 4_000));
        Entry system = Entry.text(null, Role.SYSTEM, "rules", Instant.EPOCH);
        entries.add(3, system);
        Done done = done(compact(entries, summarizing(SUMMARIZE, 5_000).preserving(2)));
        assertThat(done.entries().get(1)).isSameAs(system);
        assertThat(done.entries().getFirst().metadata().path("summary").booleanValue()).isTrue();
        assertThat(done.entries().subList(2, done.entries().size()))
                .isEqualTo(entries.subList(entries.size() - done.entries().size() + 2, entries.size()));
    }

    @ParameterizedTest
    @DisplayName("CMP-09 preserve-recent 0: no duplicates, fewer tokens")
    @EnumSource(Strategy.class)
    void nothingRecentMayBePreserved(Strategy strategy) {
        List<Entry> entries = new ArrayList<>(messages(4, 400));
        entries.addAll(Lines.entries("calls a\nresult a " + "x".repeat(4_000)));
        Done done = done(compact(entries, summarizing(strategy, 900).preserving(0)));
        assertThat(done.entries()).doesNotHaveDuplicates();
        assertThat(done.afterTokens()).isLessThan(done.beforeTokens());
    }

    @ParameterizedTest
    @DisplayName("CMP-10 target 4,916: ends, with at most one call for each part and one to merge")
    @ValueSource(ints = {4_916, 4_000, 1_000, 200})
    void summariserCallsAreBounded(int target) {
        CompactionOptions options = CompactionOptions.of(HYBRID, target).preserving(0).summarizedIn(8_192);
        List<Entry> entries = messages(100, 4_000);
        Compactor.compact(entries, options, request -> {
            requests.add(request);
            return new Summary("s".repeat((int) request.maxTokens() * 12));
        });
        int parts = SourceText.parts(entries, options.chunkTokens(), options.counter()).size();
        assertThat(requests).hasSizeBetween(1, 1 + parts);
    }

    @Test
    @DisplayName("CMP-11, CMP-12 hybrid, 4,000 tokens to 3,200: both steps, and 1,600 to 3,200 tokens remain")
    void hybridSummarisesNoMoreThanNeeded() {
        Done done = done(compact(exactly4000(), summarizing(HYBRID, 3_200).preserving(1)));
        assertThat(done.beforeTokens()).isEqualTo(4_000);
        assertThat(done.applied()).containsExactly(TRUNCATE_TOOLS, SUMMARIZE);
        assertThat(done.afterTokens()).isBetween(1_600L, 3_200L);
    }

    @Test
    @DisplayName("CMP-12 an excess just below 20 %: results are shrunk, nothing is summarised")
    void smallExcessShrinksResultsOnly() {
        Done done = done(compact(exactly4000(), summarizing(HYBRID, 3_201).preserving(1)));
        assertThat(done.applied()).containsExactly(TRUNCATE_TOOLS);
        assertThat(requests).isEmpty();
    }

    @ParameterizedTest
    @DisplayName("CMP-13 a call and its result at the boundary: both are kept or both are gone")
    @ValueSource(ints = {1, 2, 3})
    void framesAreNeverSplit(int preserved) {
        List<Entry> entries = Lines.entries("user " + "x".repeat(400) + "\ncalls a b\nresult a 1\nresult b 2");
        Done done = done(compact(entries, CompactionOptions.of(TRUNCATE_OLDEST, 60).preserving(preserved)));
        assertThat(done.entries()).isEqualTo(entries.subList(1, 4));
    }

    @Test
    @DisplayName("CMP-14 system prompt alone above the target: cannot fit, the summariser is not called")
    void fixedPartsThatExceedTheTargetCannotFit() {
        CannotFit cannotFit = (CannotFit) compact(messages(4, 400),
                summarizing(HYBRID, 1_000).preserving(1).besides(1_000));
        assertThat(cannotFit.reason()).contains("1200 tokens").contains("the target is 1000");
        assertThat(requests).isEmpty();
    }

    @Test
    @DisplayName("CMP-15, CMP-22 tiny results are not replaced by longer marks; a pass without gain is a failure")
    void tinyResultsStay() {
        List<Entry> entries = Lines.entries("calls a b\nresult a 1\nresult b 2\nuser go");
        assertThat(compact(entries, CompactionOptions.of(TRUNCATE_TOOLS, 20).preserving(1)))
                .isEqualTo(new Failed("strategy truncate-tools reclaimed nothing",
                        TokenCounter.STANDARD.entries(entries)));
    }

    @ParameterizedTest
    @DisplayName("CMP-16, CMP-21 an empty or too long summary is a failure; the transcript stays unchanged")
    @ValueSource(strings = {"", "  \n", "LONG"})
    void badSummaryIsAFailure(String answer) {
        String text = answer.equals("LONG") ? "x".repeat(100_000) : answer;
        Compaction outcome = Compactor.compact(messages(10, 4_000), summarizing(SUMMARIZE, 8_000).preserving(2),
                request -> new Summary(text));
        assertThat(outcome).isInstanceOf(Failed.class);
    }

    @Test
    @DisplayName("CMP-21 the first part's summary fails: unchanged, the failure is reported, no further call")
    void failureOfAPartEndsTheCompaction() {
        Compaction outcome = Compactor.compact(messages(60, 4_000),
                CompactionOptions.of(SUMMARIZE, 16_000).summarizedIn(10_000), request -> {
                    requests.add(request);
                    throw new IllegalStateException("model away");
                });
        assertThat(outcome).isInstanceOfSatisfying(Failed.class,
                failed -> assertThat(failed.reason()).contains("model away"));
        assertThat(requests).hasSize(1);
    }

    @Test
    @DisplayName("CMP-17 everything preserved: the summariser is not called")
    void nothingIsSummarisedWhenAllIsPreserved() {
        assertThat(compact(messages(4, 400), summarizing(HYBRID, 100).preserving(10)))
                .isInstanceOf(CannotFit.class);
        assertThat(requests).isEmpty();
    }

    @Test
    @DisplayName("CMP-24 identifiers stand in the summary or in its table")
    void identifiersSurvive() {
        List<Entry> entries = new ArrayList<>(messages(10, 4_000));
        entries.set(0, Entry.text(null, Role.USER, "see 123e4567-e89b-12d3-a456-426614174000 and src/main/App.java, "
                + "{\"orderId\": 4711} and #99, " + "x".repeat(4_000), Instant.EPOCH));
        Done done = done(compact(entries, summarizing(SUMMARIZE, 8_000).preserving(2)));
        assertThat(done.summary()).contains("123e4567-e89b-12d3-a456-426614174000", "src/main/App.java", "4711", "99");
        assertThat(done.entries().getFirst().metadata().get("identifiers").toString()).isEqualTo(
                "[\"123e4567-e89b-12d3-a456-426614174000\",\"src/main/App.java\",\"4711\",\"99\"]");
        assertThat(requests.getFirst().identifiers()).contains("4711");
    }

    @Test
    @DisplayName("CMP-25 no request exceeds the summariser's window, even for one long message")
    void requestsFitTheSummariser() {
        List<Entry> entries = new ArrayList<>(messages(20, 4_000));
        entries.add(0, Entry.text(null, Role.USER, "한".repeat(20_000), Instant.EPOCH));
        Compactor.compact(entries, CompactionOptions.of(SUMMARIZE, 4_000).preserving(1).summarizedIn(6_000),
                request -> {
                    requests.add(request);
                    return new Summary("short");
                });
        assertThat(requests).hasSizeGreaterThan(20).allSatisfy(request -> {
            assertThat(TokenCounter.STANDARD.text(request.text()) * 12 / 10 + request.maxTokens())
                    .isLessThan(6_000);
        });
        assertThat(requests.getLast().part()).isEqualTo(requests.getLast().parts() + 1);
    }

    @Test
    @DisplayName("CMP-26 cancelled: unchanged")
    void cancellationLeavesTheTranscript() {
        assertThat(
                Compactor.compact(messages(10, 4_000), summarizing(SUMMARIZE, 8_000).preserving(2).droppingOnFailure(),
                        request -> new Summarizer.Cancelled()))
                .isInstanceOf(Compaction.Cancelled.class);
    }

    @Test
    void previousSummaryIsMergedByTheSummariser() {
        List<Entry> entries = new ArrayList<>(messages(10, 4_000));
        entries.add(0, Entry.text(null, Role.USER, "[Previous conversation summary]\nold things", Instant.EPOCH));
        Done done = done(compact(entries, summarizing(SUMMARIZE, 8_000).preserving(2)));
        assertThat(requests.getFirst().previousSummary()).contains("old things");
        assertThat(requests.getFirst().text()).doesNotContain("old things");
        assertThat(done.entries()).filteredOn(Breakdown::isSummary).hasSize(1);
    }

    @Test
    void frameWithAnOpenCallStays() {
        List<Entry> entries = new ArrayList<>(Lines.entries("calls a b\nresult a " + "x".repeat(4_000)));
        entries.addAll(messages(5, 400));
        Done done = done(compact(entries, CompactionOptions.of(TRUNCATE_OLDEST, 1_300).preserving(1)));
        assertThat(done.entries().subList(0, 2)).isEqualTo(entries.subList(0, 2));
    }

    @Test
    void sameAnswersLeadToTheSameRequests() {
        List<Entry> entries = messages(60, 4_000);
        CompactionOptions options = CompactionOptions.of(SUMMARIZE, 16_000).summarizedIn(20_000);
        Done straight = done(compact(entries, options));
        List<Answer> answers = new ArrayList<>();
        for (Request request : List.copyOf(requests)) {
            assertThat(Compactor.next(entries, options, answers)).isEqualTo(new Compactor.Ask(request));
            answers.add(new Summary("summary " + (answers.size() + 1)));
        }
        assertThat(Compactor.next(entries, options, answers)).isEqualTo(new Compactor.End(straight));
    }

    @Test
    void optionsAreChecked() {
        assertThatIllegalArgumentException().isThrownBy(() -> CompactionOptions.of(HYBRID, 0))
                .withMessage("targetTokens must be more than 0, got 0");
        assertThatIllegalArgumentException().isThrownBy(() -> CompactionOptions.of(HYBRID, 1).preserving(-1))
                .withMessageStartingWith("preserveRecentMessages");
        assertThatIllegalArgumentException().isThrownBy(() -> CompactionOptions.of(HYBRID, 1).summarizedIn(4_096))
                .withMessageContaining("summariser's window");
    }

    @Test
    @DisplayName("X-05 guard and compaction count the same tokens")
    void guardAndCompactionShareOneCount() {
        List<Entry> entries = new ArrayList<>(Lines.entries("system rules\ncalls a\nresult a found"));
        entries.addAll(messages(10, 4_000));
        Breakdown breakdown = Breakdown.of(TokenCounter.STANDARD, "prompt", MissingNode.getInstance(), entries);
        Done done = done(compact(entries, CompactionOptions.of(TRUNCATE_OLDEST, 5_000).preserving(1)
                .besides(breakdown.systemPrompt() - TokenCounter.STANDARD.entry(entries.getFirst()))));
        assertThat(done.beforeTokens()).isEqualTo(breakdown.current());
    }

    @Test
    @DisplayName("X-03 the output of a compaction passes a check with no findings")
    void compactedTranscriptIsClean() {
        List<Entry> entries = new ArrayList<>(
                Lines.entries("calls a b\nresult a " + "x".repeat(4_000) + "\nresult b 1"));
        entries.addAll(messages(5, 400));
        for (Strategy strategy : Strategy.values()) {
            Done done = done(compact(entries, summarizing(strategy, 1_000).preserving(2)));
            assertThat(Transcript.detect(done.entries(), CallFacts.NONE)).isEmpty();
        }
    }

    private Compaction compact(List<Entry> entries, CompactionOptions options) {
        return Compactor.compact(entries, options, request -> {
            requests.add(request);
            return new Summary("summary " + requests.size());
        });
    }

    private static CompactionOptions summarizing(Strategy strategy, long target) {
        return CompactionOptions.of(strategy, target).summarizedIn(WINDOW);
    }

    private static Done done(Compaction outcome) {
        assertThat(outcome).isInstanceOf(Done.class);
        return (Done) outcome;
    }

    private static List<Entry> messages(int count, int length) {
        List<Entry> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(Entry.text(null, Role.USER, i + " " + "x".repeat(length - 18), Instant.ofEpochSecond(i)));
        }
        return messages;
    }

    /// A frame with a long result, and messages of users.
    private static List<Entry> exactly4000() {
        List<Entry> entries = new ArrayList<>(Lines.entries("calls a\nresult a " + "x".repeat(7_960)));
        entries.addAll(messages(19, 400));
        long missing = 4_000 - TokenCounter.STANDARD.entries(entries);
        entries.add(Entry.text(null, Role.USER, "y".repeat((int) (missing - TokenCounter.MESSAGE_OVERHEAD) * 4),
                Instant.EPOCH));
        assertThat(TokenCounter.STANDARD.entries(entries)).isEqualTo(4_000);
        return entries;
    }
}
