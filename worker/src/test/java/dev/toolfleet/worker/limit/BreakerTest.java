package dev.toolfleet.worker.limit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

import dev.toolfleet.bundle.BreakerSpec;
import dev.toolfleet.bundle.Concurrency;
import dev.toolfleet.bundle.ToolLimits;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.limit.LimitGate.Entry;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.limit.FakeWorker.admitted;
import static dev.toolfleet.worker.limit.FakeWorker.refused;
import static org.assertj.core.api.Assertions.assertThat;

class BreakerTest {
    private static final BreakerSpec SPEC = new BreakerSpec(50, 4, Duration.ofSeconds(30), Set.of());

    private final FakeWorker worker = new FakeWorker();

    @BeforeEach
    void declare() {
        worker.with(FakeWorker.breaker(SPEC));
    }

    @Test
    void errorResultsOpenItAlthoughNothingWasThrown() {
        fail(4);

        ToolError error = refused(worker.ask());
        assertThat(error.code()).isEqualTo("E_TOOL_CIRCUIT_OPEN");
        assertThat(error.suggestion()).contains("try again in 30 seconds");
        assertThat(state()).isEqualTo(2);
        assertThat(worker.registry.get(WorkerMeters.LIMITS_BREAKER_OPENED).counter().count()).isEqualTo(1);
    }

    @Test
    void theShareOfFailuresCountsAndTheWindow() {
        end(BreakerSignal.SUCCEEDED, 3);
        fail(1);
        assertThat(worker.ask()).as("one of four").isInstanceOf(Entry.Admitted.class);

        worker.with(FakeWorker.breaker(new BreakerSpec(25, 4, Duration.ofSeconds(30), Set.of())));
        end(BreakerSignal.SUCCEEDED, 3);
        fail(1);
        assertThat(refused(worker.ask()).code()).isEqualTo("E_TOOL_CIRCUIT_OPEN");
    }

    @Test
    void callersFaultsAndCancelledCallsNeverOpenIt() {
        end(BreakerSignal.UNCOUNTED, 50);

        assertThat(worker.ask()).isInstanceOf(Entry.Admitted.class);
    }

    @Test
    void oneCallTriesAndItsSuccessCloses() {
        fail(4);
        worker.pass(Duration.ofSeconds(31));

        Permit trial = admitted(worker.ask());
        assertThat(refused(worker.ask()).message()).contains("one call finds out");
        trial.ended(BreakerSignal.SUCCEEDED);
        trial.close();

        assertThat(worker.ask()).isInstanceOf(Entry.Admitted.class);
        assertThat(state()).isZero();
    }

    @Test
    void aTrialThatFailsOpensAgain() {
        fail(4);
        worker.pass(Duration.ofSeconds(31));
        fail(1);

        assertThat(refused(worker.ask()).suggestion()).contains("30 seconds");
    }

    @Test
    void aTrialThatIsGivenUpLeavesItsPlaceToTheNext() {
        fail(4);
        worker.pass(Duration.ofSeconds(31));
        admitted(worker.ask()).close();

        Permit next = admitted(worker.ask());
        next.ended(BreakerSignal.SUCCEEDED);
        next.close();
        assertThat(state()).isZero();
    }

    @Test
    void aLateSuccessOfACallThatBeganWhileClosedDoesNotCloseIt() {
        Permit late = admitted(worker.ask());
        fail(4);
        late.ended(BreakerSignal.SUCCEEDED);
        assertThat(refused(worker.ask()).code()).isEqualTo("E_TOOL_CIRCUIT_OPEN");

        Permit later = late;
        worker.pass(Duration.ofSeconds(31));
        Permit trial = admitted(worker.ask());
        later.close();
        assertThat(state()).as("still trying").isEqualTo(1);
        trial.ended(BreakerSignal.FAILED);
        trial.close();
        assertThat(state()).isEqualTo(2);
    }

    @Test
    void anotherRevisionOfTheToolStartsClosedAndHearsNothingOfTheOld() {
        Permit old = admitted(worker.ask());
        fail(4);

        worker.code = "v2";
        Permit first = admitted(worker.ask());
        old.ended(BreakerSignal.FAILED);
        first.close();
        fail(3);

        assertThat(worker.ask()).as("three of the new revision's").isInstanceOf(Entry.Admitted.class);
    }

    @Test
    void theSameRevisionStaysOpenWhateverElseIsApplied() {
        fail(4);
        worker.gate.changed();

        assertThat(refused(worker.ask()).code()).isEqualTo("E_TOOL_CIRCUIT_OPEN");
    }

    @Test
    void whoWaitsForASlotHearsAtOnceThatItOpened() throws Exception {
        worker.with(new ToolLimits(
                Optional.of(new Concurrency.Fixed(5)), OptionalDouble.empty(),
                Optional.of(SPEC), false));
        Permit slow = admitted(worker.ask());
        List<Permit> failing = Stream.generate(() -> admitted(worker.ask())).limit(4).toList();
        LimitGate.Turn waiting = FakeWorker.queued(worker.ask());
        failing.forEach(permit -> permit.ended(BreakerSignal.FAILED));

        assertThat(refused(waiting.await()).code()).isEqualTo("E_TOOL_CIRCUIT_OPEN");
        slow.close();
    }

    private void fail(int times) {
        end(BreakerSignal.FAILED, times);
    }

    private void end(BreakerSignal ending, int times) {
        for (int n = 0; n < times; n++) {
            try (Permit permit = admitted(worker.ask())) {
                permit.ended(ending);
            }
        }
    }

    private double state() {
        return worker.registry.get(WorkerMeters.LIMITS_BREAKER).gauge().value();
    }
}
