package dev.toolfleet.worker.limit;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import dev.toolfleet.bundle.ToolLimits;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.telemetry.ToolMeters;
import dev.toolfleet.worker.telemetry.ToolMeters.Refused;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.jspecify.annotations.Nullable;

/// Limits of one tool on one worker.
///
/// **Contract.** Calls start in the order in which they came. The number of taken slots is not counted separately. It
/// is the number of calls in `running`, plus the pending ones where the tool declares that. So a slot is free when its
/// call has left `running`, whichever thread removed it, and new limits hold for calls that run already.
///
/// **Threads.** Thread-safe: one lock, under which no thread blocks. A thread that changes the state (it requests,
/// ends, gives up, or brings a new revision) starts calls from the head of the queue as far as the limits allow. While
/// only the rate is in the way, the head of the queue wakes up by itself.
final class ToolGate implements Ticket.Gate {
    private static final long FOREVER = Long.MAX_VALUE / 2;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Ticket> running = new HashSet<>();
    private final LinkedHashSet<Ticket> waiting = new LinkedHashSet<>();
    private final ToolRef ref;
    private final GateWorker worker;
    private final ToolMeters meters;
    private ToolLimits limits = ToolLimits.NONE;
    private @Nullable Object code;
    private int most = Integer.MAX_VALUE;
    private @Nullable StartRate rate;
    private @Nullable Breaker breaker;
    private boolean metered;

    ToolGate(ToolRef ref, GateWorker worker, ToolMeters meters) {
        this.ref = ref;
        this.worker = worker;
        this.meters = meters;
    }

    LimitGate.Entry ask(LimitGate.Asking asking) {
        lock.lock();
        try {
            refresh();
            long now = worker.nanos();
            Ticket ticket = new Ticket(this, asking, until(asking, now), lock.newCondition());
            waiting.add(ticket);
            advance(now);
            if (ticket.waits())
                refuseIfHopeless(ticket, now);
            return ticket.entry();
        } finally {
            lock.unlock();
        }
    }

    private long until(LimitGate.Asking asking, long now) {
        return asking.deadline() == null ? FOREVER : later(now, worker.until(asking.deadline()));
    }

    private static long later(long now, Duration wait) {
        return wait.toSeconds() > TimeUnit.NANOSECONDS.toSeconds(FOREVER) ? FOREVER : now + wait.toNanos();
    }

    /// Refuses a call at once if its turn would come too late.
    private void refuseIfHopeless(Ticket ticket, long now) {
        StartRate starts = rate;
        if (starts == null)
            return;
        long earliest = starts.earliest(waiting.size() - 1, now);
        long latest = Math.min(ticket.until(), later(now, ticket.asking().timeout()));
        if (earliest > latest) {
            waiting.remove(ticket);
            refuse(ticket, Refused.RATE, tooOften(ticket, earliest - now));
        }
    }

    private ToolError tooOften(Ticket ticket, long wait) {
        return LimitErrors.rate(ticket.asking().name(), limits.ratePerSecond().orElse(0), Duration.ofNanos(wait));
    }

    private void refuse(Ticket ticket, Refused why, ToolError error) {
        meters.refused(why);
        ticket.refuse(error);
    }

    @Override
    public LimitGate.Entry.Decided await(Ticket ticket) throws InterruptedException {
        lock.lock();
        try {
            while (ticket.waits()) {
                long now = worker.nanos();
                advance(now);
                if (!ticket.waits())
                    break;
                long left = ticket.until() - now;
                if (left > 0) {
                    var _ = ticket.news().awaitNanos(Math.min(left, wakeUp(ticket, now)));
                } else {
                    tooLate(ticket, now);
                }
            }
            return ticket.decided();
        } finally {
            lock.unlock();
        }
    }

    /// Returns the time for which the ticket may sleep; the head of the queue wakes when the rate allows a start.
    private long wakeUp(Ticket ticket, long now) {
        return rate != null && ticket.equals(waiting.getFirst()) && hasSlot()
                ? Math.max(1, rate.earliest(0, now) - now)
                : FOREVER;
    }

    private void tooLate(Ticket ticket, long now) {
        boolean slot = hasSlot();
        boolean head = ticket.equals(waiting.getFirst());
        waiting.remove(ticket);
        if (slot && rate != null) {
            refuse(ticket, Refused.RATE, tooOften(ticket, rate.earliest(waiting.size(), now) - now));
        } else {
            refuse(ticket, Refused.DEADLINE, LimitErrors.deadline(ticket.asking().name(), most));
        }
        if (head)
            advance(now);
    }

    @Override
    public void ended(Ticket ticket, BreakerSignal ending) {
        lock.lock();
        try {
            ticket.count(ending);
            advance(worker.nanos());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close(Ticket ticket) {
        lock.lock();
        try {
            over(ticket);
        } finally {
            lock.unlock();
        }
    }

    private void over(Ticket ticket) {
        waiting.remove(ticket);
        running.remove(ticket);
        ticket.end();
        refresh();
        advance(worker.nanos());
    }

    /// Reacts to a newly loaded revision, or to the end of a pending call.
    void changed() {
        lock.lock();
        try {
            refresh();
            advance(worker.nanos());
        } finally {
            lock.unlock();
        }
    }

    /// Starts calls from the head of the queue as far as the limits allow.
    private void advance(long now) {
        while (!waiting.isEmpty()) {
            Ticket head = waiting.getFirst();
            Breaker judge = head.asking().code().equals(code) ? breaker : null;
            if (judge == null || !judge.isOpen()) {
                if (!hasSlot())
                    return;
                if (rate != null && rate.earliest(0, now) > now) {
                    // Perhaps it became the head just now, and would sleep for longer.
                    head.news().signal();
                    return;
                }
            }
            waiting.removeFirst();
            if (judge == null || judge.enter()) {
                start(head, judge, now);
            } else {
                refuse(head, Refused.CIRCUIT, LimitErrors.open(head.asking().name(), judge.openFor()));
            }
        }
    }

    private void start(Ticket ticket, @Nullable Breaker judge, long now) {
        running.add(ticket);
        if (rate != null)
            rate.started(now);
        ticket.start(judge);
    }

    private boolean hasSlot() {
        return most == Integer.MAX_VALUE || used() < most;
    }

    private int used() {
        return running.size() + (limits.holdWhilePending() ? worker.pending(ref) : 0);
    }

    /// Reads the present declaration. Running and waiting calls stay.
    private void refresh() {
        GateWorker.Declared now = worker.declared(ref).orElse(null);
        ToolLimits next = now == null ? ToolLimits.NONE : now.limits();
        Object nextCode = now == null ? null : now.code();
        boolean sameCode = nextCode != null && nextCode.equals(code);
        if (sameCode && next.equals(limits))
            return;
        if (!next.ratePerSecond().equals(limits.ratePerSecond()))
            rate = next.ratePerSecond().isPresent() ? StartRate.of(next.ratePerSecond().getAsDouble(), rate) : null;
        if (!sameCode || !next.circuitBreaker().equals(limits.circuitBreaker())) {
            breaker = next.circuitBreaker().map(spec -> new Breaker(name(ref), spec, worker.clock(), meters))
                    .orElse(null);
        }
        most = next.maxConcurrent().map(concurrency -> concurrency.on(worker.cores())).orElse(Integer.MAX_VALUE);
        limits = next;
        code = nextCode;
        if (!metered && !next.equals(ToolLimits.NONE)) {
            metered = true;
            meters.register(this::slots, this::queue, this::circuit);
        }
    }

    static String name(ToolRef ref) {
        return WorkerMeters.tool(ref);
    }

    @Override
    public boolean holdsWhilePending() {
        lock.lock();
        try {
            return limits.holdWhilePending();
        } finally {
            lock.unlock();
        }
    }

    /// Number of taken slots.
    int slots() {
        lock.lock();
        try {
            return used();
        } finally {
            lock.unlock();
        }
    }

    /// Number of waiting calls.
    int queue() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    private int circuit() {
        lock.lock();
        try {
            return breaker == null ? 0 : breaker.state();
        } finally {
            lock.unlock();
        }
    }
}
