package dev.toolfleet.bench.verdict;

import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Course;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.Work;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ApprovalCheckTest {
    private final Seen approved = asked(Course.APPROVED);
    private final Seen rejected = asked(Course.REJECTED);

    private static Seen asked(Course course) {
        return new Seen().call("a", Work.of(Kind.ONCE, course), 0).pending("a", "h", 20);
    }

    @Test
    void anApprovedCallRunsAndARejectedOneEndsSo() {
        assertThat(approved.decided("a", true, 30).ran("a", "w1", 40, 45).answered("a", 50).broken(FaultKind.KILL))
                .isEmpty();
        assertThat(rejected.decided("a", false, 30).failed("a", 50, "E_TOOL_APPROVAL_REJECTED")
                .broken(FaultKind.KILL)).isEmpty();
    }

    @Test
    void aCallThatRunsBeforeItsApprovalIsFound() {
        assertThat(approved.ran("a", "w1", 25, 29).decided("a", true, 30).answered("a", 50).broken(FaultKind.KILL))
                .containsExactly("APPROVED a");
    }

    @Test
    void aRejectedCallThatRunsIsFound() {
        assertThat(rejected.decided("a", false, 30).ran("a", "w1", 40, 45).failed("a", 50, "E_TOOL_APPROVAL_REJECTED")
                .broken(FaultKind.KILL)).containsExactly("APPROVED a");
    }

    @Test
    void aRejectedCallThatIsAnsweredAsDoneIsFound() {
        assertThat(rejected.decided("a", false, 30).answered("a", 50).broken(FaultKind.KILL))
                .containsExactly("APPROVED a");
    }

    @Test
    void anApprovedCallThatIsRejectedIsFound() {
        assertThat(approved.decided("a", true, 30).failed("a", 50, "E_TOOL_APPROVAL_REJECTED").broken(FaultKind.KILL))
                .containsExactly("NO_ERRORS a");
    }

    @Test
    void aCallThatWaitsForAPersonHoldsUpNobodyAndKeepsItsPlaceAmongResults() {
        Seen other = approved.done("b", Kind.ONCE, "w1", 60).decided("a", true, 90).ran("a", "w1", 100, 105)
                .answered("a", 110);

        assertThat(other.broken(FaultKind.KILL)).isEmpty();
        assertThat(other.report(FaultKind.STOP).stalls()).extracting(Stall::callId).doesNotContain("a");
    }

    @Test
    void anApprovedCallThatOverlapsAnotherIsFound() {
        assertThat(approved.decided("a", true, 30).ran("a", "w1", 40, 80).answered("a", 85)
                .call("b", Kind.ONCE, 50, 5).ran("b", "w1", 60, 65).answered("b", 90).broken(FaultKind.KILL))
                .containsExactly("ORDER instance-1");
    }

    @Test
    void aPendingResultOutOfCallOrderIsFound() {
        assertThat(new Seen().call("a", Work.of(Kind.ONCE, Course.PENDING), 0).done("b", Kind.ONCE, "w1", 5)
                .pending("a", "h", 50).answered("a", 90).broken(FaultKind.KILL)).containsExactly("ORDER instance-1");
    }
}
