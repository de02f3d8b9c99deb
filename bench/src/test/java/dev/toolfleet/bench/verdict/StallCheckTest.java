package dev.toolfleet.bench.verdict;

import java.time.Duration;
import java.util.List;

import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Kind;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class StallCheckTest {
    private final Seen seen = new Seen();

    @Test
    void aSlowCallAndThoseBehindItAreNotHeldUp() {
        seen.call("slow", Kind.ONCE, 0, 20_000).ran("slow", "w1", 10, 20_010).answered("slow", 20_020)
                .call("behind", Kind.ONCE, 100, 5).ran("behind", "w1", 20_030, 20_035).answered("behind", 20_040);

        assertThat(seen.broken(FaultKind.STOP)).isEmpty();
        assertThat(stalls(FaultKind.STOP)).containsExactly(tuple(Stall.Whose.OTHERS, "slow", millis(10)));
    }

    @Test
    void anInstanceOfAnotherWorkerThatAPlannedStopHoldsUpIsFound() {
        held().in("instance-2", 2).done("before", Kind.ONCE, "w2", 0).call("held", Kind.ONCE, 1_100, 0)
                .ran("held", "w2", 7_000, 7_000).answered("held", 7_100);

        assertThat(seen.broken(FaultKind.STOP)).containsExactly("STOPS_ARE_LOCAL instance-2");
        assertThat(stalls(FaultKind.STOP)).contains(tuple(Stall.Whose.OTHERS, "held", millis(5_900)));
    }

    @Test
    void aStoppedWorkersOwnInstancesMayWait() {
        held();

        assertThat(seen.broken(FaultKind.STOP)).isEmpty();
        assertThat(stalls(FaultKind.STOP)).contains(tuple(Stall.Whose.VICTIMS, "waits", millis(7_800)));
    }

    // A partition moves to the worker that joins: what may run again does, and is not held up while it does.
    @Test
    void aCallThatRunsAgainElsewhereIsHeldUpOnlyInBetween() {
        seen.done("before", Kind.IDEMPOTENT, "w1", 0).call("twice", Kind.IDEMPOTENT, 1_000, 9_000)
                .ran("twice", "w2", 1_010, 8_000).ran("twice", "w3", 9_500, 18_500).answered("twice", 18_510);

        assertThat(seen.broken(FaultKind.STOP)).isEmpty();
        assertThat(stalls(FaultKind.STOP)).contains(tuple(Stall.Whose.OTHERS, "twice", millis(1_500)));
    }

    @Test
    void whatWaitsLongAfterAFaultIsOver() {
        seen.done("before", Kind.ONCE, "w1", 0).fault(FaultKind.STOP, "w1", 1_000, 2_000)
                .call("late", Kind.ONCE, 30_000, 0).answered("late", 36_000);

        assertThat(seen.broken(FaultKind.STOP)).containsExactly("STOPS_ARE_LOCAL instance-1");
    }

    @Test
    void aKilledWorkerIsMissedAfterItsSessionTimeout() {
        seen.done("before", Kind.ONCE, "w1", 0).fault(FaultKind.KILL, "w1", 1_000, 1_001)
                .call("waits", Kind.ONCE, 12_000, 0).answered("waits", 15_000);

        assertThat(stalls(FaultKind.KILL)).contains(tuple(Stall.Whose.VICTIMS, "waits", millis(3_000)));
    }

    @Test
    void whileTheBrokerIsAwayAllWait() {
        seen.done("before", Kind.ONCE, "w1", 0).fault(FaultKind.BROKER, "broker", 1_000, 8_000)
                .call("waits", Kind.ONCE, 1_100, 0).answered("waits", 9_100);

        assertThat(stalls(FaultKind.BROKER)).contains(tuple(Stall.Whose.ALL, "waits", millis(8_000)));
    }

    /// A worker of partition 1 is stopped, and a call there waits for 7.8 s.
    private Seen held() {
        return seen.done("first", Kind.ONCE, "w1", 0).fault(FaultKind.STOP, "w1", 1_000, 8_000)
                .call("waits", Kind.ONCE, 1_200, 0).answered("waits", 9_000);
    }

    private List<Tuple> stalls(FaultKind kind) {
        return seen.report(kind).stalls().stream().map(stall -> tuple(stall.whose(), stall.callId(), stall.took()))
                .toList();
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }
}
