package dev.toolfleet.session.transcript;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import tools.jackson.databind.node.BooleanNode;

import static org.assertj.core.api.Assertions.assertThat;

class TranscriptPropertyTest {
    private static final String SEED = "20261128";
    private static final int TRIES = 5_000;

    @Property(tries = TRIES, seed = SEED)
    @Label("TRX-14, TRX-15 detect after repair is empty, and a second repair returns the same list")
    void repairIsIdempotentAndLeavesNoFinding(@ForAll("transcripts") List<Entry> entries, @ForAll("facts") int facts) {
        Repaired once = Transcript.repair(entries, factsOf(facts));
        assertThat(Transcript.detect(once.entries(), factsOf(facts))).isEmpty();
        assertThat(Transcript.repair(once.entries(), factsOf(facts)).entries()).isSameAs(once.entries());
    }

    @Property(tries = TRIES, seed = SEED)
    void seedModeIsIdempotentToo(@ForAll("transcripts") List<Entry> entries) {
        RepairOptions seed = new RepairOptions(true, name -> true);
        Repaired once = Transcript.repair(entries, CallFacts.NONE, seed);
        assertThat(Transcript.repair(once.entries(), CallFacts.NONE, seed).entries()).isSameAs(once.entries());
    }

    @Property(tries = TRIES, seed = SEED)
    @Label("TRX-25 user messages are never reordered")
    void entriesOfUsersModelsAndAuthorsKeepTheirOrder(@ForAll("transcripts") List<Entry> entries) {
        Iterator<Instant> before = spoken(entries).iterator();
        for (Instant at : spoken(Transcript.repair(entries, CallFacts.NONE).entries())) {
            while (!before.next().equals(at))
                assertThat(before).hasNext();
        }
    }

    @Property(tries = TRIES, seed = SEED)
    void everyEntryIsKeptOrCounted(@ForAll("transcripts") List<Entry> entries, @ForAll("facts") int facts) {
        Repaired repaired = Transcript.repair(entries, factsOf(facts));
        RepairReport report = repaired.report();
        assertThat(repaired.entries().size() - report.added() + report.droppedDuplicate()
                + report.quarantined().size()).isEqualTo(entries.size());
        assertThat(calls(repaired.entries()) + report.droppedCalls()).isLessThanOrEqualTo(calls(entries));
    }

    @Property(tries = TRIES, seed = SEED)
    void everyFrameIsAnsweredInOrder(@ForAll("transcripts") List<Entry> entries) {
        List<Entry> repaired = Transcript.repair(entries, CallFacts.NONE).entries();
        for (int i = 0; i < repaired.size();) {
            assertThat(repaired.get(i).role()).isNotEqualTo(Role.TOOL);
            List<Call> calls = repaired.get(i++).calls();
            for (Call call : calls)
                assertThat(repaired.get(i++).toolCallId()).isEqualTo(call.id());
        }
    }

    @Provide
    Arbitrary<Integer> facts() {
        return Arbitraries.integers().between(0, 80);
    }

    /// Transcripts of few ids, so that all faults meet: results before, between and after calls with the same id.
    @Provide
    Arbitrary<List<Entry>> transcripts() {
        Arbitrary<String> callId = Arbitraries.of("a", "b", "c");
        Arbitrary<String> line = Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.of("user yes", "user no", "system rules")),
                Tuple.of(1, Arbitraries.of("assistant ok", "stray x")),
                Tuple.of(4, Combinators.combine(Arbitraries.of("calls ", "calls ", "calls! "),
                        callId.list().ofMinSize(1).ofMaxSize(3))
                        .as((calls, ids) -> calls + String.join(" ", ids))),
                Tuple.of(5, Combinators.combine(callId, Arbitraries.of("1", "2", ""))
                        .as((id, content) -> "result " + id + " " + content)));
        Arbitrary<Integer> entryId = Arbitraries.integers().between(0, 12);
        Arbitrary<Written> written = Combinators
                .combine(line, entryId, Arbitraries.integers().between(0, 6), Arbitraries.integers().between(0, 9))
                .as(Written::new);
        return Combinators.combine(written.list().ofMaxSize(14), Arbitraries.of(true, false))
                .as(TranscriptPropertyTest::entries);
    }

    private static List<Entry> entries(List<Written> lines, boolean withIds) {
        List<Entry> entries = new ArrayList<>();
        for (Written line : lines) {
            String id = withIds && line.id > 0 ? "@id=" + line.id + " " : "";
            Entry entry = Lines.entry(id + line.text, Instant.ofEpochSecond(withIds ? entries.size() : line.second));
            entries.add(entry.role() == Role.TOOL && line.synthetic == 0
                    ? entry.withMetadata(Entry.SYNTHETIC, BooleanNode.TRUE)
                    : entry);
        }
        return entries;
    }

    private static CallFacts factsOf(int number) {
        return (frame, call) -> switch (number / (int) Math.pow(3, call.id().charAt(0) - 'a') % 3) {
            case 0 -> new CallFacts.Unknown(CallFacts.Reason.TIMEOUT);
            case 1 -> new CallFacts.Pending("h");
            default -> new CallFacts.Answered(Lines.entry("result " + call.id() + " known", frame.at()));
        };
    }

    private static List<Instant> spoken(List<Entry> entries) {
        return entries.stream().filter(entry -> entry.role() != Role.TOOL).map(Entry::at).toList();
    }

    private static int calls(List<Entry> entries) {
        return entries.stream().mapToInt(entry -> entry.calls().size()).sum();
    }

    private record Written(String text, int id, int second, int synthetic) {}
}
