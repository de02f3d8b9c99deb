package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.fault.FaultSchedule;
import dev.toolfleet.bench.fault.FaultSchedule.PlannedFault;
import dev.toolfleet.bench.fleet.CrashFleet;
import dev.toolfleet.bench.fleet.GatewaySlot;
import dev.toolfleet.bench.fleet.SessionSlot;
import dev.toolfleet.bench.fleet.WorkerSlot;
import dev.toolfleet.bench.fleet.WorkerSlot.Next;
import dev.toolfleet.topic.Topic;

/// Injector of the schedule's faults into a fleet, one after the other; after each one all is as before.
final class FaultInjector {
    /// Longer than a worker's drain.
    private static final Duration STOP = Duration.ofSeconds(60);
    /// Less than the long answers need.
    private static final double QUOTA_BYTES = 200_000;

    private final CrashFleet fleet;
    private final CallSource feed;
    private final ClusterCommands cluster;
    private final InstantSource clock;
    private final List<Fault> faults = new CopyOnWriteArrayList<>();
    private final List<String> collapsed = new CopyOnWriteArrayList<>();
    private volatile String now = "none yet";

    FaultInjector(CrashFleet fleet, CallSource feed, ClusterCommands cluster, InstantSource clock) {
        this.fleet = fleet;
        this.feed = feed;
        this.cluster = cluster;
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
        WorkerSlot slot = slot(planned);
        int broker = planned.slot() % fleet.brokers().count();
        String target = switch (planned.kind()) {
            case KILL, STOP, FREEZE, CLOCK, HOST -> slot.worker();
            case BROKER -> fleet.brokers().count() == 1 ? "broker" : "broker-" + (broker + 1);
            case RECREATE -> calls();
            case REWIND, FORGET -> CrashFleet.GROUP;
            case QUOTA -> "producers";
            case GATEWAY -> gateway(planned).gateway();
            case SESSION -> session(planned).service();
        };
        now = planned.kind().text() + " " + target;
        Instant from = clock.instant();
        switch (planned.kind()) {
            case KILL -> {
                slot.kill();
                happened(planned.kind(), target, from);
                Thread.sleep(planned.away());
                slot.restart(next(planned));
            }
            case STOP, CLOCK -> {
                stop(slot);
                happened(planned.kind(), target, from);
                slot.restart(planned.kind() == FaultKind.CLOCK ? Next.AHEAD : next(planned));
            }
            case HOST -> {
                slot.killHosts();
                happened(planned.kind(), target, from);
            }
            case FREEZE -> freeze(slot, planned.away());
            case BROKER -> {
                fleet.brokers().kill(broker);
                Thread.sleep(planned.away());
                fleet.brokers().restart(broker);
                happened(planned.kind(), target, from);
            }
            case RECREATE -> feed.replaceTopic(() -> {
                Instant flushed = clock.instant();
                cluster.delete(calls());
                fleet.createTopics();
                happened(planned.kind(), target, flushed);
            });
            case REWIND, FORGET -> {
                withoutWorkers(planned);
                happened(planned.kind(), target, from);
            }
            case QUOTA -> {
                cluster.limit(QUOTA_BYTES);
                try {
                    Thread.sleep(planned.away());
                } finally {
                    cluster.unlimit();
                }
                happened(planned.kind(), target, from);
            }
            case GATEWAY -> {
                gateway(planned).kill();
                happened(planned.kind(), target, from);
                Thread.sleep(planned.away());
                gateway(planned).restart();
            }
            case SESSION -> {
                session(planned).kill();
                happened(planned.kind(), target, from);
                Thread.sleep(planned.away());
                session(planned).restart();
            }
        }
    }

    private GatewaySlot gateway(PlannedFault planned) {
        return fleet.gateways().get(planned.slot() % fleet.gateways().size());
    }

    private SessionSlot session(PlannedFault planned) {
        return fleet.sessions().get(planned.slot() % fleet.sessions().size());
    }

    /// One clock is wrong at a time.
    private WorkerSlot slot(PlannedFault planned) {
        WorkerSlot slot = fleet.slots().get(planned.slot());
        return planned.kind() == FaultKind.CLOCK
                ? fleet.slots().stream().filter(each -> WorkerSlot.isAhead(each.worker())).findFirst().orElse(slot)
                : slot;
    }

    private String calls() {
        return fleet.topics().name(Topic.CALL);
    }

    private static Next next(PlannedFault planned) {
        return planned.sameName() ? Next.SAME_NAME : Next.NEW_NAME;
    }

    private void happened(FaultKind kind, String target, Instant from) {
        faults.add(new Fault(kind, target, from, clock.instant()));
    }

    private static void stop(WorkerSlot slot) throws InterruptedException {
        slot.terminate();
        awaitEnd(slot);
    }

    private static void awaitEnd(WorkerSlot slot) throws InterruptedException {
        if (!slot.awaitEnd(STOP))
            throw new IllegalStateException(
                    slot.worker() + " did not end within " + STOP.toSeconds() + " s after SIGTERM");
    }

    private void freeze(WorkerSlot slot, Duration away) throws InterruptedException {
        slot.freeze();
        Instant still = clock.instant();
        try {
            Thread.sleep(away);
        } finally {
            slot.thaw();
        }
        happened(FaultKind.FREEZE, slot.worker(), still);
    }

    private void withoutWorkers(PlannedFault planned) throws InterruptedException {
        fleet.slots().forEach(WorkerSlot::terminate);
        for (WorkerSlot slot : fleet.slots())
            awaitEnd(slot);
        if (planned.kind() == FaultKind.FORGET)
            cluster.deleteGroup();
        else
            cluster.rewind(calls(), new SplittableRandom(planned.away().toNanos()));
        fleet.slots().forEach(slot -> slot.begin(next(planned)));
        for (WorkerSlot slot : fleet.slots())
            slot.awaitReady();
    }

    /// A worker that ended by itself is replaced, as a process manager does it, and remembered.
    void replaceCollapsed() throws InterruptedException {
        for (WorkerSlot slot : fleet.slots()) {
            if (!slot.isAlive()) {
                collapsed.add(slot.worker());
                slot.restart(Next.NEW_NAME);
            }
        }
    }

    /// The faults so far.
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
