package dev.toolfleet.bench.verdict;

import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Course;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.Work;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// A call that sends under both labels needs its approval, and a call without one is found.
class LabelCheckTest {
    private static final Work SEND = Work.of(Kind.ONCE, Course.GUARDED);

    /// Its instance has both labels from 120 on.
    private final Seen seen = new Seen().done("read", Kind.READ_ONLY, "w1", 0).done("put", Kind.IDEMPOTENT, "w1", 100);

    @Test
    void anApprovedCallPasses() {
        CrashReport report = seen.call("send", SEND, 200).pending("send", "h", 210).decided("send", true, 220)
                .intent("send", "w1", 230).ran("send", "w1", 231, 235).answered("send", 240).labelled();

        assertThat(report.violations()).isEmpty();
        assertThat(report.guarded()).contains(new CrashReport.Guarded(1, 1));
    }

    @Test
    void aResultWithoutApprovalIsFound() {
        assertThat(seen.call("send", Work.of(Kind.ONCE, Course.DIRECT), 200).answered("send", 240).labelledBroken())
                .containsExactly("GUARDED send");
    }

    @Test
    void anUnknownOutcomeWithoutApprovalIsFound() {
        assertThat(seen.call("send", Work.of(Kind.ONCE, Course.DIRECT), 200).intent("send", "w1", 210)
                .fault(FaultKind.KILL, "w1", 211, 212).failed("send", 240, Seen.UNKNOWN).labelledBroken())
                .containsExactly("GUARDED send");
    }

    @Test
    void anIntentBeforeTheApprovalIsFound() {
        assertThat(seen.call("send", SEND, 200).intent("send", "w1", 205).pending("send", "h", 210)
                .decided("send", true, 220).answered("send", 240).labelledBroken()).containsExactly("GUARDED send");
    }

    @Test
    void theNoteOfAnHeirIsNoStart() {
        assertThat(seen.call("send", SEND, 200).suspect("send", "w2", 205).pending("send", "h", 210)
                .decided("send", true, 220).intent("send", "w2", 230).answered("send", 240).labelledBroken()).isEmpty();
    }

    @Test
    void aCallThatWasWrittenBeforeBothResultsMayStart() {
        assertThat(seen.call("early", Work.of(Kind.ONCE, Course.DIRECT), 119).answered("early", 240)
                .call("send", SEND, 300).pending("send", "h", 310).decided("send", true, 320)
                .ran("send", "w1", 331, 335).answered("send", 340).labelledBroken()).isEmpty();
    }

    @Test
    void labelsOfAnotherInstanceDoNotCount() {
        assertThat(seen.call("send", SEND, 200).pending("send", "h", 210).decided("send", true, 220)
                .ran("send", "w1", 231, 235).answered("send", 240).in("instance-2", 1)
                .done("other", Kind.ONCE, "w1", 300).labelledBroken()).isEmpty();
    }

    @Test
    void errorsAndCallsThatAreAlwaysAskedCompleteNoLabels() {
        Seen other = new Seen().done("read", Kind.READ_ONLY, "w1", 0)
                .call("asked", Work.of(Kind.IDEMPOTENT, Course.APPROVED), 50).pending("asked", "h", 60)
                .decided("asked", true, 70).ran("asked", "w1", 80, 85).answered("asked", 90)
                .done("send", Kind.ONCE, "w1", 200);

        assertThat(other.labelledBroken()).as("no call is checked").containsExactly("GUARDED run");
    }

    @Test
    void aRunThatChecksNoCallIsNoProof() {
        assertThat(seen.labelledBroken()).containsExactly("GUARDED run");
    }

    @Test
    void aRunWithoutLabelsIsNotChecked() {
        CrashReport report = seen.done("send", Kind.ONCE, "w1", 200).report(FaultKind.KILL);

        assertThat(report.kept()).isTrue();
        assertThat(report.guarded()).isEmpty();
    }
}
