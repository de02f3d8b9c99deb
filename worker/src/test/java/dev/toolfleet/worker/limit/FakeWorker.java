package dev.toolfleet.worker.limit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;

import dev.toolfleet.bundle.BreakerSpec;
import dev.toolfleet.bundle.Concurrency;
import dev.toolfleet.bundle.ToolLimits;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;

/// Worker whose time the test moves, with one tool and its gate.
final class FakeWorker implements GateWorker {
    static final ToolRef REF = new ToolRef("acme", "t", "run");
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final AtomicLong nanos = new AtomicLong();
    volatile ToolLimits limits = ToolLimits.NONE;
    volatile Object code = "v1";
    volatile int pending;
    final ToolGate gate = new ToolGate(REF, this, new WorkerMeters(registry).ofTool("acme/t__run"));

    static ToolLimits concurrent(int most) {
        return new ToolLimits(Optional.of(new Concurrency.Fixed(most)), OptionalDouble.empty(), Optional.empty(),
                false);
    }

    static ToolLimits rate(double perSecond) {
        return new ToolLimits(Optional.empty(), OptionalDouble.of(perSecond), Optional.empty(), false);
    }

    static ToolLimits breaker(BreakerSpec spec) {
        return new ToolLimits(Optional.empty(), OptionalDouble.empty(), Optional.of(spec), false);
    }

    FakeWorker with(ToolLimits some) {
        limits = some;
        return this;
    }

    LimitGate.Entry ask() {
        return ask(null);
    }

    LimitGate.Entry ask(@Nullable Instant deadline) {
        return gate.ask(new LimitGate.Asking(REF, code, "t__run", deadline, Duration.ofSeconds(30)));
    }

    static Permit admitted(LimitGate.Entry entry) {
        return ((LimitGate.Entry.Admitted) entry).permit();
    }

    static LimitGate.Turn queued(LimitGate.Entry entry) {
        return ((LimitGate.Entry.Queued) entry).turn();
    }

    static ToolError refused(LimitGate.Entry entry) {
        return ((LimitGate.Entry.Refused) entry).error();
    }

    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Override
    public Optional<GateWorker.Declared> declared(ToolRef ref) {
        return Optional.of(new GateWorker.Declared(limits, code));
    }

    @Override
    public int pending(ToolRef ref) {
        return pending;
    }

    @Override
    public int cores() {
        return 2;
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public Duration until(Instant deadline) {
        return Duration.between(START.plusNanos(nanos()), deadline);
    }

    @Override
    public Clock clock() {
        return new WorkerLimits.Monotonic(this::nanos);
    }
}
