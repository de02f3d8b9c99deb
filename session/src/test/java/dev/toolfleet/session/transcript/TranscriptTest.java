package dev.toolfleet.session.transcript;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;

import static dev.toolfleet.session.transcript.Corruption.Kind.DUPLICATE_ENTRY;
import static dev.toolfleet.session.transcript.Corruption.Kind.INVALID_ROLE_SEQUENCE;
import static dev.toolfleet.session.transcript.Corruption.Kind.MISSING_TOOL_RESULT;
import static dev.toolfleet.session.transcript.Corruption.Kind.ORPHAN_TOOL_RESULT;
import static dev.toolfleet.session.transcript.Lines.entries;
import static org.assertj.core.api.Assertions.assertThat;

class TranscriptTest {
    @Test
    @DisplayName("TRX-01 clean: no findings, the same list")
    void cleanTranscriptComesBackItself() {
        List<Entry> clean = entries("""
                system rules
                user hello
                calls a b
                result a 1
                result b 2
                assistant done
                """);
        Repaired repaired = Transcript.repair(clean, CallFacts.NONE);
        assertThat(repaired.entries()).isSameAs(clean);
        assertThat(repaired.report().isClean()).isTrue();
    }

    @Test
    @DisplayName("TRX-02 the same entry twice: a duplicate, two of three remain")
    void entryThatStandsTwiceIsDroppedOnce() {
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        Entry hello = Entry.text(null, Role.USER, "hello", at);
        Repaired repaired = Transcript.repair(
                List.of(hello, hello, Entry.text(null, Role.ASSISTANT, "hi", at)), CallFacts.NONE);
        assertThat(kinds(repaired)).containsExactly(DUPLICATE_ENTRY);
        assertThat(repaired.entries()).hasSize(2);
        assertThat(repaired.report().droppedDuplicate()).isOne();
    }

    @Test
    void usersMayRepeatThemselvesLater() {
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        Entry yes = Entry.text(null, Role.USER, "yes", at);
        List<Entry> twice = List.of(yes, Entry.text(null, Role.ASSISTANT, "sure?", at), yes);
        assertThat(Transcript.detect(twice)).isEmpty();
    }

    @Test
    @DisplayName("TRX-02 redelivery: the same id twice is one entry, equal texts under two ids are two")
    void idDecidesAboutDuplicates() {
        check("""
                @id=1 user go
                @id=2 user go
                @id=1 user go
                """, """
                user go
                user go
                """, DUPLICATE_ENTRY);
    }

    @Test
    @DisplayName("TRX-03 result without call: orphan")
    void resultWithoutCallIsAnOrphan() {
        check("""
                user hello
                assistant hi
                result a 1
                """, """
                user hello
                assistant hi
                """, ORPHAN_TOOL_RESULT);
    }

    @Test
    @DisplayName("TRX-04 call without result: missing, a synthetic one is placed")
    void missingResultIsReplacedByASyntheticOne() {
        List<Entry> entries = entries("""
                @id=m1 calls a
                user next
                """);
        Repaired repaired = Transcript.repair(entries, CallFacts.NONE);
        assertThat(kinds(repaired)).containsExactly(MISSING_TOOL_RESULT);
        Entry synthetic = repaired.entries().get(1);
        assertThat(synthetic.content().stringValue()).isEqualTo("[Tool result unavailable]");
        assertThat(synthetic.metadata().toString())
                .isEqualTo("{\"synthetic\":true,\"reason\":\"lost\",\"isError\":true}");
        assertThat(synthetic.id()).isEqualTo("m1-result-1");
    }

    @Test
    @DisplayName("TRX-05 empty tool content: the text of an aborted execution")
    void emptyContentReadsAborted() {
        check("""
                calls a
                result a
                """, """
                calls a
                +result a [Execution aborted]
                """, MISSING_TOOL_RESULT);
    }

    @Test
    @DisplayName("TRX-06 user, then tool: invalid sequence")
    void resultBehindAUserIsAnInvalidSequence() {
        check("""
                user hello
                result a 1
                """, """
                user hello
                """, INVALID_ROLE_SEQUENCE, ORPHAN_TOOL_RESULT);
    }

    @Test
    @DisplayName("TRX-07 call m1, user, orphan o2: the synthetic result stands directly behind m1")
    void syntheticResultStandsBehindItsCall() {
        check("""
                calls m1
                user hello
                result o2 1
                """, """
                calls m1
                +result m1 [Tool result unavailable]
                user hello
                """, MISSING_TOOL_RESULT, INVALID_ROLE_SEQUENCE, ORPHAN_TOOL_RESULT);
    }

    @Test
    @DisplayName("TRX-08 call, user, matching result: the result moves before the user")
    void resultMovesBehindItsCall() {
        check("""
                calls m1
                user hello
                result m1 1
                """, """
                calls m1
                result m1 1
                user hello
                """, INVALID_ROLE_SEQUENCE);
    }

    @Test
    @DisplayName("TRX-09 two calls of equal text and time, distinct ids: both are kept with their results")
    void equalCallsWithDistinctIdsStay() {
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        List<Entry> twice = List.of(Lines.entry("calls a", at), Lines.entry("result a same", at),
                Lines.entry("calls b", at), Lines.entry("result b same", at));
        assertThat(Transcript.detect(twice)).isEmpty();
    }

    @Test
    @DisplayName("TRX-10 second result of an answered call: dropped, no call is invented")
    void secondResultIsDropped() {
        check("""
                calls a
                result a first
                result a second
                """, """
                calls a
                result a first
                """, DUPLICATE_ENTRY);
    }

    @Test
    @DisplayName("TRX-11 id t1 in two turns: each result stays in its frame")
    void repeatedIdIsPairedWithinItsFrame() {
        check("""
                calls t1
                user next
                calls t1
                result t1 two
                """, """
                calls t1
                +result t1 [Tool result unavailable]
                user next
                calls t1
                result t1 two
                """, MISSING_TOOL_RESULT);
    }

    @Test
    @DisplayName("TRX-12 tool entry first, or without id: quarantined")
    void firstResultAndResultWithoutIdAreQuarantined() {
        Repaired repaired = Transcript.repair(entries("""
                result a 1
                calls a
                stray 2
                """), (frame, call) -> new CallFacts.Running());
        assertThat(Lines.text(repaired.entries())).isEqualTo("calls a\n");
        assertThat(repaired.report().quarantined()).hasSize(2);
    }

    @Test
    @DisplayName("TRX-13 orphan without an owner: out of the model's view, kept in the report, no call added")
    void orphanIsKeptInTheReport() {
        List<Entry> entries = entries("""
                assistant hi
                result gone 1
                user next
                """);
        Repaired repaired = Transcript.repair(entries, CallFacts.NONE);
        assertThat(repaired.entries()).containsExactly(entries.get(0), entries.get(2));
        assertThat(repaired.report().quarantined()).containsExactly(entries.get(1));
        assertThat(repaired.report().added()).isZero();
    }

    @Test
    void orphanWithTwoPossibleOwnersIsQuarantined() {
        Repaired repaired = Transcript.repair(entries("""
                calls a
                calls a
                calls a
                result a three
                result a one-or-two
                """), CallFacts.NONE);
        assertThat(Lines.text(repaired.report().quarantined())).isEqualTo("result a one-or-two\n");
    }

    @Test
    void resultOfTheOnlyUnansweredCallMovesThere() {
        check("""
                calls a
                user next
                calls a
                result a two
                result a one
                """, """
                calls a
                result a one
                user next
                calls a
                result a two
                """, INVALID_ROLE_SEQUENCE);
    }

    @Test
    @DisplayName("TRX-17 calls a and b, only a answered: a, then a synthetic b")
    void syntheticResultKeepsTheOrderOfCalls() {
        check("""
                calls a b
                result a 1
                """, """
                calls a b
                result a 1
                +result b [Tool result unavailable]
                """, MISSING_TOOL_RESULT);
    }

    @Test
    void resultsOfAFrameTakeTheOrderOfItsCalls() {
        check("""
                calls a b c
                result c 3
                result a 1
                result b 2
                """, """
                calls a b c
                result a 1
                result b 2
                result c 3
                """, INVALID_ROLE_SEQUENCE, INVALID_ROLE_SEQUENCE);
    }

    @Test
    @DisplayName("TRX-18 aborted frame with a partial call: the call is dropped, without a synthetic result")
    void unansweredCallOfAnAbortedFrameIsDropped() {
        check("""
                calls! a b
                result a 1
                calls! c
                """, """
                +calls a
                result a 1
                +assistant [Execution aborted]
                """, MISSING_TOOL_RESULT, MISSING_TOOL_RESULT);
    }

    @Test
    @DisplayName("TRX-19 ids exec_0 in five turns: all five results are kept")
    void idOfEveryTurnKeepsEveryResult() {
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        List<Entry> turns = new ArrayList<>();
        for (int turn = 0; turn < 5; turn++) {
            turns.add(Lines.entry("calls exec_0", at.plusSeconds(turn)));
            turns.add(Lines.entry("result exec_0 same", at));
        }
        assertThat(Transcript.repair(turns, CallFacts.NONE).entries()).isSameAs(turns);
    }

    @Test
    @DisplayName("TRX-22 call with a pending handle: not missing")
    void pendingCallIsNotMissing() {
        List<Entry> waiting = entries("""
                calls a
                user meanwhile
                """);
        assertThat(Transcript.detect(waiting, (frame, call) -> new CallFacts.Pending("h-1"))).isEmpty();
        assertThat(Transcript.detect(waiting, (frame, call) -> new CallFacts.Running())).isEmpty();
        assertThat(Transcript.detect(waiting)).hasSize(1);
    }

    @Test
    void resultThatTheFleetKnowsIsInserted() {
        Entry known = Lines.entry("result a known", Instant.EPOCH);
        Repaired repaired = Transcript.repair(entries("calls a"), (frame, call) -> new CallFacts.Answered(known));
        assertThat(Lines.text(repaired.entries())).isEqualTo("calls a\nresult a known\n");
    }

    @Test
    @DisplayName("TRX-23 late real result: replaces the synthetic one, once")
    void lateResultReplacesTheSyntheticOne() {
        List<Entry> late = new ArrayList<>(Transcript.repair(entries("""
                @id=1 calls a
                @id=2 user next
                """), CallFacts.NONE).entries());
        late.add(Lines.entry("@id=3 result a real", Instant.EPOCH));
        late.add(Lines.entry("@id=4 result a again", Instant.EPOCH));
        Repaired repaired = Transcript.repair(late, CallFacts.NONE);
        assertThat(Lines.text(repaired.entries())).isEqualTo("""
                calls a
                result a real
                user next
                """);
        assertThat(repaired.report().droppedDuplicate()).isEqualTo(2);
        assertThat(Transcript.detect(repaired.entries())).isEmpty();
    }

    /// `toolfleet bench micro sessions` has the time.
    @Test
    @DisplayName("TRX-16 100,000 entries with one id in every turn: every missing result is marked in its frame")
    void longTranscriptIsRepairedFrameByFrame() {
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        List<Entry> turns = new ArrayList<>();
        for (int turn = 0; turn < 40_000; turn++) {
            turns.add(Lines.entry("@id=u" + turn + " user next", at));
            turns.add(Lines.entry("@id=a" + turn + " calls exec_0", at));
            if (turn % 2 == 0)
                turns.add(Lines.entry("@id=r" + turn + " result exec_0 done", at));
        }
        Repaired repaired = Transcript.repair(turns, CallFacts.NONE);
        assertThat(turns).hasSize(100_000);
        assertThat(repaired.report().added()).isEqualTo(20_000);
        assertThat(repaired.entries()).hasSize(120_000);
        for (int turn = 0; turn < 40_000; turn++)
            assertThat(repaired.entries().get(3 * turn + 2).isSynthetic()).isEqualTo(turn % 2 == 1);
    }

    @Test
    void findingNamesTheCallAndItsFate() {
        assertThat(Transcript.detect(entries("calls a"))).singleElement()
                .hasToString("Corruption[kind=MISSING_TOOL_RESULT, index=0, description=call 'a' has no result; "
                        + "a synthetic result is inserted]");
    }

    @Test
    void emptyPartsAreEmptyContent() {
        Entry empty = Entry.result(null, "a", null, JsonNodeFactory.instance.arrayNode(), Instant.EPOCH);
        Repaired repaired = Transcript.repair(List.of(Lines.entry("calls a", Instant.EPOCH), empty), CallFacts.NONE);
        assertThat(repaired.entries().get(1).content()).isEqualTo(StringNode.valueOf(Transcript.ABORTED));
    }

    private static void check(String before, String after, Corruption.Kind... kinds) {
        Repaired repaired = Transcript.repair(entries(before), CallFacts.NONE);
        assertThat(Lines.text(repaired.entries())).isEqualTo(after);
        assertThat(kinds(repaired)).containsExactly(kinds);
        assertThat(Transcript.detect(repaired.entries())).isEmpty();
    }

    private static List<Corruption.Kind> kinds(Repaired repaired) {
        return repaired.report().corruptions().stream().map(Corruption::kind).toList();
    }
}
