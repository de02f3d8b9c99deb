package dev.toolfleet.bench.verdict;

import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OrderCheckTest {
    private final Seen seen = new Seen();

    @Test
    void exclusiveCallsThatOverlapAreFound() {
        assertThat(seen.call("a", Kind.ONCE, 0, 100).call("b", Kind.IDEMPOTENT, 0, 5).ran("a", "w1", 10, 110)
                .ran("b", "w2", 50, 55).answered("a", 120).answered("b", 130).broken(FaultKind.KILL))
                .containsExactly("ORDER instance-1");
    }

    @Test
    void aReadOnlyCallThatOverlapsAnExclusiveOneIsFound() {
        assertThat(seen.call("a", Kind.READ_ONLY, 0, 100).call("b", Kind.ONCE, 0, 5).ran("a", "w1", 10, 110)
                .ran("b", "w1", 50, 55).answered("a", 120).answered("b", 130).broken(FaultKind.KILL))
                .containsExactly("ORDER instance-1");
    }

    @Test
    void aLongOneThatOverlapsMoreThanItsNeighbourIsFoundEachTime() {
        assertThat(seen.call("a", Kind.ONCE, 0, 100).call("b", Kind.READ_ONLY, 0, 5).call("c", Kind.READ_ONLY, 0, 5)
                .ran("a", "w1", 10, 110).ran("b", "w1", 20, 25).ran("c", "w1", 30, 35).answered("a", 120)
                .answered("b", 130).answered("c", 130).broken(FaultKind.KILL))
                .containsExactly("ORDER instance-1", "ORDER instance-1");
    }

    @Test
    void readOnlyCallsMayOverlapAndOvertakeEachOther() {
        assertThat(seen.call("a", Kind.READ_ONLY, 0, 100).call("b", Kind.READ_ONLY, 0, 5).ran("b", "w1", 10, 15)
                .ran("a", "w1", 12, 112).answered("b", 20).answered("a", 120).broken(FaultKind.KILL)).isEmpty();
    }

    @Test
    void instancesMayOverlap() {
        assertThat(seen.call("a", Kind.ONCE, 0, 100).in("instance-2", 2).call("b", Kind.ONCE, 0, 100)
                .ran("a", "w1", 10, 110).ran("b", "w1", 10, 110).answered("a", 120).answered("b", 120)
                .broken(FaultKind.KILL)).isEmpty();
    }

    @Test
    void exclusiveCallsThatStartOutOfOrderAreFound() {
        assertThat(seen.call("a", Kind.ONCE, 0, 5).call("b", Kind.ONCE, 0, 5).ran("b", "w1", 10, 15)
                .ran("a", "w1", 20, 25).answered("a", 30).answered("b", 40).report(FaultKind.KILL).violations())
                .extracting(Violation::what).hasSize(2)
                .allMatch(what -> what.contains("starts: a (offset 0) came after b (offset 1)"));
    }

    @Test
    void aCallThatRunsAgainAfterALaterOneWasDoneIsFound() {
        assertThat(seen.call("a", Kind.IDEMPOTENT, 0, 5).call("b", Kind.ONCE, 0, 5).ran("a", "w1", 10, 15)
                .ran("b", "w1", 20, 25).ran("a", "w2", 30, 35).answered("a", 40).answered("b", 50)
                .report(FaultKind.KILL).violations()).extracting(Violation::what)
                .containsExactly("last starts: a (offset 0) came after b (offset 1), partition 1");
    }

    @Test
    void afterACrashAllThatWasNotAnsweredMayRunAgain() {
        assertThat(seen.call("a", Kind.IDEMPOTENT, 0, 5).call("b", Kind.IDEMPOTENT, 0, 5).ran("a", "w1", 10, 15)
                .ran("b", "w1", 20, 25).fault(FaultKind.KILL, "w1", 26, 27).ran("a", "w2", 30, 35)
                .ran("b", "w2", 40, 45).answered("a", 50).answered("b", 50).broken(FaultKind.KILL)).isEmpty();
    }

    @Test
    void aCallWhoseRecordWentWithItsTopicNeedNotRunAgain() {
        assertThat(seen.call("a", Kind.IDEMPOTENT, 0, 5).call("b", Kind.READ_ONLY, 0, 5).ran("a", "w1", 10, 15)
                .ran("b", "w1", 20, 25).fault(FaultKind.KILL, "w1", 26, 27).began("a", "w2", 30)
                .recreated(31, 32).answered("a", 40).report(FaultKind.RECREATE).violations())
                .noneMatch(violation -> violation.what().contains("last starts"));
    }

    @Test
    void resultsOutOfOrderAreFound() {
        assertThat(seen.call("a", Kind.ONCE, 0, 5).call("b", Kind.ONCE, 0, 5).ran("a", "w1", 10, 15)
                .ran("b", "w1", 20, 25).answered("b", 30).answered("a", 40).report(FaultKind.KILL).violations())
                .extracting(Violation::what)
                .containsExactly("results: a (offset 0) came after b (offset 1), partition 1");
    }

    @Test
    void aCallThatWasWrittenAgainToANewTopicHasNoPlaceInTheOrder() {
        assertThat(seen.call("a", Kind.ONCE, 900, 5).recreated(1_000, 2_000).done("b", Kind.ONCE, "w1", 2_100)
                .again("a", 2_200).ran("a", "w1", 2_210, 2_215).answered("a", 2_220).broken(FaultKind.RECREATE))
                .isEmpty();
    }

    @Test
    void aRunEndsWithTheDeathOfItsWorker() {
        assertThat(seen.call("a", Kind.IDEMPOTENT, 0, 100).began("a", "w1", 10).fault(FaultKind.KILL, "w1", 20, 21)
                .ran("a", "w2", 30, 130).answered("a", 140).broken(FaultKind.KILL)).isEmpty();
    }

    @Test
    void whatAFrozenWorkerHadBegunOverlapsNothing() {
        assertThat(seen.call("a", Kind.IDEMPOTENT, 0, 100).ran("a", "w1", 10, 9_000)
                .fault(FaultKind.FREEZE, "w1", 20, 8_900).ran("a", "w2", 6_500, 6_600).answered("a", 6_700)
                .broken(FaultKind.FREEZE)).isEmpty();
    }

    @Test
    void whatAWokenWorkerBeginsCounts() {
        assertThat(seen.call("a", Kind.IDEMPOTENT, 0, 5_000).fault(FaultKind.FREEZE, "w1", 20, 8_900)
                .ran("a", "w2", 6_500, 11_500).ran("a", "w1", 9_000, 9_100).answered("a", 11_700)
                .broken(FaultKind.FREEZE)).containsExactly("ORDER instance-1");
    }

    @Test
    void aRunWithoutEndOnALivingWorkerOverlapsWhateverFollows() {
        assertThat(seen.call("a", Kind.ONCE, 0, 5).call("b", Kind.ONCE, 0, 5).began("a", "w1", 10)
                .ran("b", "w1", 20, 25).answered("a", 30).answered("b", 40).broken(FaultKind.KILL))
                .containsExactly("ORDER instance-1");
    }
}
