package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.fault.FaultSchedule;
import dev.toolfleet.bench.fault.PlannedFault;
import dev.toolfleet.bench.fleet.CrashFleet;
import dev.toolfleet.bench.fleet.WorkerSlot;

/// Does to a fleet what the schedule says, one fault after the other; after each one all is as before.
final class FaultInjector {
    /// Longer than a worker's drain.
    private static final Duration STOP = Duration.ofSeconds(60);

    private final CrashFleet fleet;
    private final InstantSource clock;
    private final List<Fault> faults = new CopyOnWriteArrayList<>();
    private final List<String> collapsed = new CopyOnWriteArrayList<>();
    private volatile String now = "none yet";

    FaultInjector(CrashFleet fleet, InstantSource clock) {
        this.fleet = fleet;
        this.clock = clock;
    }

    /// Injects faults until then; the last one may end later.
    void run(FaultSchedule schedule, Instant until) throws InterruptedException {
        while (true) {
            PlannedFault next = schedule.next();
            if (clock.instant().plus(next.pause()).isAfter(until))
                return;
            Thread.sleep(next.pause());
            replaceCollapsed();
            inject(next);
        }
    }

    private void inject(PlannedFault planned) throws InterruptedException {
        WorkerSlot slot = fleet.slots().get(planned.slot());
        String target = switch (planned.kind()) {
            case KILL, STOP, FREEZE -> slot.worker();
            case BROKER -> Fault.BROKER;
        };
        now = planned.kind() + " " + target;
        Instant from = clock.instant();
        switch (planned.kind()) {
            case KILL -> {
                slot.kill();
                faults.add(new Fault(planned.kind(), target, from, clock.instant()));
                Thread.sleep(planned.away());
                slot.restart();
            }
            case STOP -> {
                slot.terminate();
                if (!slot.awaitEnd(STOP))
                    throw new IllegalStateException(
                            target + " did not end within " + STOP.toSeconds() + " s after SIGTERM");
                faults.add(new Fault(planned.kind(), target, from, clock.instant()));
                slot.restart();
            }
            case FREEZE -> {
                slot.freeze();
                Instant still = clock.instant();
                try {
                    Thread.sleep(planned.away());
                } finally {
                    slot.thaw();
                }
                faults.add(new Fault(planned.kind(), target, still, clock.instant()));
            }
            case BROKER -> {
                fleet.broker().kill();
                Thread.sleep(planned.away());
                fleet.broker().restart();
                faults.add(new Fault(planned.kind(), target, from, clock.instant()));
            }
        }
    }

    /// A worker that ended by itself is replaced, as a process manager does it, and remembered.
    void replaceCollapsed() throws InterruptedException {
        for (WorkerSlot slot : fleet.slots()) {
            if (!slot.isAlive()) {
                collapsed.add(slot.worker());
                slot.restart();
            }
        }
    }

    /// What took place so far.
    List<Fault> faults() {
        return List.copyOf(faults);
    }

    /// Workers that ended by themselves.
    List<String> collapsed() {
        return List.copyOf(collapsed);
    }

    /// The newest fault, for people.
    String now() {
        return now;
    }
}
