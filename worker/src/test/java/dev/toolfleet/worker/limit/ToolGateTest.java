package dev.toolfleet.worker.limit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

import dev.toolfleet.bundle.Concurrency;
import dev.toolfleet.bundle.ToolLimits;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.limit.LimitGate.Entry;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.limit.FakeWorker.admitted;
import static dev.toolfleet.worker.limit.FakeWorker.concurrent;
import static dev.toolfleet.worker.limit.FakeWorker.queued;
import static dev.toolfleet.worker.limit.FakeWorker.rate;
import static dev.toolfleet.worker.limit.FakeWorker.refused;
import static org.assertj.core.api.Assertions.assertThat;

class ToolGateTest {
    private final FakeWorker worker = new FakeWorker();

    @Test
    void slotsAreGivenInTheOrderOfArrival() throws Exception {
        worker.with(concurrent(1));
        Permit first = admitted(worker.ask());
        LimitGate.Turn second = queued(worker.ask());
        LimitGate.Turn third = queued(worker.ask());

        first.close();
        Permit next = admitted(second.await());
        assertThat(((Ticket) third).waits()).isTrue();
        next.close();

        assertThat(third.await()).isInstanceOf(Entry.Admitted.class);
    }

    @Test
    void aSlotIsFreedOnceHoweverOftenItIsClosed() {
        worker.with(concurrent(2));
        Permit first = admitted(worker.ask());
        admitted(worker.ask());
        first.close();
        first.close();

        admitted(worker.ask());
        queued(worker.ask());
        assertThat(worker.gate.slots()).isEqualTo(2);
    }

    @Test
    void aRaisedLimitLetsWaitersInAtOnce() throws Exception {
        worker.with(concurrent(1));
        admitted(worker.ask());
        List<LimitGate.Turn> turns = List.of(queued(worker.ask()), queued(worker.ask()), queued(worker.ask()));

        worker.with(concurrent(3)).gate.changed();

        assertThat(turns.get(0).await()).isInstanceOf(Entry.Admitted.class);
        assertThat(turns.get(1).await()).isInstanceOf(Entry.Admitted.class);
        assertThat(((Ticket) turns.get(2)).waits()).isTrue();
        assertThat(worker.gate.slots()).isEqualTo(3);
    }

    @Test
    void aNewLimitHoldsForThoseWhoRunAlready() {
        List<Permit> unlimited = List.of(admitted(worker.ask()), admitted(worker.ask()), admitted(worker.ask()));

        worker.with(concurrent(2));
        LimitGate.Turn turn = queued(worker.ask());
        unlimited.get(0).close();
        assertThat(((Ticket) turn).waits()).as("two still run").isTrue();
        unlimited.get(1).close();

        assertThat(((Ticket) turn).waits()).isFalse();
    }

    @Test
    void aPendingCallKeepsItsSlotOnlyWhereTheToolSaysSo() throws Exception {
        worker.pending = 2;
        worker.with(concurrent(2));
        admitted(worker.ask()).close();

        worker.with(new ToolLimits(Optional.of(new Concurrency.PerCore(1)), OptionalDouble.empty(), Optional.empty(),
                true));
        LimitGate.Turn turn = queued(worker.ask());
        worker.pending = 1;
        worker.gate.changed();

        assertThat(turn.await()).isInstanceOf(Entry.Admitted.class);
        assertThat(worker.gate.slots()).isEqualTo(2);
    }

    @Test
    void whoseDeadlinePassesWhileItWaitsIsNotStarted() throws Exception {
        worker.with(concurrent(1));
        Permit running = admitted(worker.ask());
        LimitGate.Turn turn = queued(worker.ask(FakeWorker.START.plusSeconds(5)));
        worker.pass(Duration.ofSeconds(5));

        ToolError error = refused(turn.await());

        assertThat(error.code()).isEqualTo("E_TOOL_TIMEOUT");
        assertThat(error.message()).contains("not started").contains("limits.maxConcurrent");
        running.close();
        assertThat(worker.gate.slots()).isZero();
        assertThat(refusals("deadline")).isEqualTo(1);
    }

    @Test
    void whoGivesUpLeavesNothingBehind() throws Exception {
        worker.with(concurrent(1));
        Permit running = admitted(worker.ask());
        LimitGate.Turn gone = queued(worker.ask());
        LimitGate.Turn stays = queued(worker.ask());
        gone.giveUp();
        running.close();

        assertThat(stays.await()).isInstanceOf(Entry.Admitted.class);
        gone.giveUp();
        assertThat(worker.gate.slots()).isEqualTo(1);
        stays.giveUp();
        assertThat(worker.gate.slots()).as("given up although it had come").isZero();
    }

    @Test
    void whoCannotStartInTimeAtTheToolsRateHearsSoAtOnceAndWhenToComeAgain() throws Exception {
        worker.with(rate(0.5));
        admitted(worker.ask());
        LimitGate.Turn second = queued(worker.ask());

        ToolError error = refused(worker.ask(FakeWorker.START.plusSeconds(3)));
        assertThat(error.code()).isEqualTo("E_TOOL_RATE_LIMITED");
        assertThat(error.suggestion()).contains("Try again in 4 seconds");
        assertThat(error.message()).contains("0.5 times a second");
        assertThat(refusals("rate")).isEqualTo(1);

        worker.pass(Duration.ofSeconds(2));
        assertThat(second.await()).isInstanceOf(Entry.Admitted.class);
    }

    @Test
    void withoutADeadlineARateKeepsNobodyLongerThanTheToolsTimeout() {
        worker.with(rate(1));
        admitted(worker.ask());
        for (int n = 0; n < 30; n++)
            queued(worker.ask());

        assertThat(refused(worker.ask()).suggestion()).contains("31 seconds");
    }

    @Test
    void toolsDoNotWaitForEachOtherAndSevenInstancesCallingOneToolAreNoLoop() {
        worker.with(concurrent(7));
        for (int n = 0; n < 7; n++)
            admitted(worker.ask());

        assertThat(new FakeWorker().with(concurrent(1)).ask()).isInstanceOf(Entry.Admitted.class);
    }

    @Test
    void slotsAndTheQueueAreMetered() {
        worker.with(concurrent(1));
        admitted(worker.ask());
        queued(worker.ask());
        queued(worker.ask());

        assertThat(worker.registry.get(WorkerMeters.LIMITS_USED).tag(WorkerMeters.TOOL, "acme/t__run").gauge().value())
                .isEqualTo(1);
        assertThat(worker.registry.get(WorkerMeters.LIMITS_WAITING).gauge().value()).isEqualTo(2);
    }

    private double refusals(String why) {
        return worker.registry.get(WorkerMeters.LIMITS_REFUSED).tag(WorkerMeters.REASON, why).counter().count();
    }
}
