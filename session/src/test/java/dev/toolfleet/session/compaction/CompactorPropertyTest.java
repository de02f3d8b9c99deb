package dev.toolfleet.session.compaction;

import java.time.Instant;
import java.util.Iterator;
import java.util.List;

import dev.toolfleet.session.compaction.Compaction.Done;
import dev.toolfleet.session.compaction.Summarizer.Answer;
import dev.toolfleet.session.compaction.Summarizer.Request;
import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.session.transcript.CallFacts;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Lines;
import dev.toolfleet.session.transcript.Transcript;
import dev.toolfleet.session.window.Breakdown;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

class CompactorPropertyTest {
    private static final String SEED = "20261128";
    private static final int TRIES = 2_000;

    @Property(tries = TRIES, seed = SEED)
    @Label("CMP-19 after is never more than before, and the target is met exactly when after is at most the target")
    void requestBecomesShorter(@ForAll("transcripts") List<Entry> entries, @ForAll("options") CompactionOptions options,
            @ForAll("answers") Answers answers) {
        if (!(Compactor.compact(entries, options, answers) instanceof Done done))
            return;
        assertThat(done.beforeTokens()).isEqualTo(total(entries, options));
        assertThat(done.afterTokens()).isEqualTo(total(done.entries(), options)).isLessThan(done.beforeTokens());
        assertThat(done.targetMet()).isEqualTo(done.afterTokens() <= options.targetTokens());
    }

    @Property(tries = TRIES, seed = SEED)
    @Label("X-04 a repair of a compacted transcript returns the same list")
    void compactedTranscriptNeedsNoRepair(@ForAll("transcripts") List<Entry> entries,
            @ForAll("options") CompactionOptions options, @ForAll("answers") Answers answers) {
        List<Entry> repaired = Transcript.repair(entries, CallFacts.NONE).entries();
        if (Compactor.compact(repaired, options, answers) instanceof Done done)
            assertThat(Transcript.repair(done.entries(), CallFacts.NONE).entries()).isSameAs(done.entries());
    }

    @Property(tries = TRIES, seed = SEED)
    @Label("CMP-18 survivors keep their order")
    void survivorsKeepTheirOrder(@ForAll("transcripts") List<Entry> entries,
            @ForAll("options") CompactionOptions options, @ForAll("answers") Answers answers) {
        if (!(Compactor.compact(entries, options, answers) instanceof Done done))
            return;
        Iterator<Instant> before = entries.stream().map(Entry::at).iterator();
        for (Entry entry : done.entries()) {
            while (!Breakdown.isSummary(entry) && !before.next().equals(entry.at()))
                assertThat(before).hasNext();
        }
        assertThat(done.perFrame().stream().mapToInt(Compaction.FrameFate::size).sum()).isEqualTo(entries.size());
    }

    @Provide
    Arbitrary<List<Entry>> transcripts() {
        Arbitrary<String> text = Arbitraries.of(4, 40, 400, 4_000).map("x "::repeat);
        Arbitrary<String> lines = Arbitraries.oneOf(text.map(words -> "user " + words),
                text.map(words -> "assistant " + words), text.map(words -> "system " + words),
                text.map(words -> "calls a b\nresult a " + words + "\nresult b 1"));
        return lines.list().ofMinSize(1).ofMaxSize(12).map(all -> Lines.entries(String.join("\n", all)));
    }

    @Provide
    Arbitrary<CompactionOptions> options() {
        return Combinators.combine(Arbitraries.of(Strategy.class), Arbitraries.of(100, 500, 1_500, 5_000),
                Arbitraries.integers().between(0, 6), Arbitraries.of(true, false), Arbitraries.of(0, 6_000, 20_000))
                .as((strategy, target, preserved, drop, window) -> {
                    CompactionOptions options = CompactionOptions.of(strategy, target).preserving(preserved)
                            .besides(50);
                    options = drop ? options.droppingOnFailure() : options;
                    return window == 0 ? options : options.summarizedIn(window);
                });
    }

    @Provide
    Arbitrary<Answers> answers() {
        return Arbitraries.integers().between(0, 9).list().ofMinSize(1).ofMaxSize(6).map(Answers::new);
    }

    private static long total(List<Entry> entries, CompactionOptions options) {
        return TokenCounter.STANDARD.entries(entries) + options.fixedTokens();
    }

    /// Summariser whose answers follow a list: fine ones, too long ones, empty ones and failures.
    record Answers(List<Integer> kinds) implements Summarizer {
        @Override
        public Answer summarize(Request request) {
            return switch (kinds.get(request.part() % kinds.size())) {
                case 0 -> new Failure("away");
                case 1 -> new Summary("");
                case 2 -> new Summary("long ".repeat(2_000));
                case 3 -> new Summary("x".repeat(8 * (int) request.maxTokens()));
                default -> new Summary("short");
            };
        }
    }
}
