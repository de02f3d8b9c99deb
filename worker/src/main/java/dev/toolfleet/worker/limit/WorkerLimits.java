package dev.toolfleet.worker.limit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.telemetry.WorkerMeters;

/// Limits of all tools on this worker. A gate is made at a tool's first call, with limits or without, so that running
/// calls are known when limits come. It stays, and takes some hundred bytes. Thread-safe.
public final class WorkerLimits implements LimitGate {
    private final Map<ToolRef, ToolGate> gates = new ConcurrentHashMap<>();
    private final GateWorker worker;
    private final WorkerMeters meters;

    /// Creates the limits that `registry` declares.
    ///
    /// @param pending returns the number of a tool's calls that wait for their handles on this worker
    /// @param clock of deadlines
    /// @param nanos never goes back
    /// @param cores processors of this machine
    public WorkerLimits(ToolRegistry registry, ToIntFunction<ToolRef> pending, InstantSource clock, LongSupplier nanos,
            int cores, WorkerMeters meters) {
        this(new OfRegistry(registry, pending, clock, nanos, nanos.getAsLong(), cores), meters);
    }

    WorkerLimits(GateWorker worker, WorkerMeters meters) {
        this.worker = worker;
        this.meters = meters;
    }

    @Override
    public Entry ask(Asking asking) {
        return gates.computeIfAbsent(asking.ref(), ref -> new ToolGate(ref, worker, meters.ofTool(ToolGate.name(ref))))
                .ask(asking);
    }

    /// Counts a repeated start of this tool's handler for the same call.
    public void retried(ToolRef ref) {
        meters.ofTool(ToolGate.name(ref)).retried();
    }

    /// Number of calls that wait for a slot or the rate of their tool, all tools together.
    public int waiting() {
        return gates.values().stream().mapToInt(ToolGate::queue).sum();
    }

    /// Reads changed declarations.
    public void changed() {
        gates.values().forEach(ToolGate::changed);
    }

    /// Frees the slot of a pending call of this tool that has ended, or belongs to another worker now.
    public void freed(ToolRef ref) {
        ToolGate gate = gates.get(ref);
        if (gate != null)
            gate.changed();
    }

    private record OfRegistry(ToolRegistry registry, ToIntFunction<ToolRef> waiting, InstantSource instants,
            LongSupplier monotonic, long start, int cores) implements GateWorker {
        @Override
        public Optional<GateWorker.Declared> declared(ToolRef ref) {
            return Optional.ofNullable(registry.current(ref))
                    .map(tool -> new GateWorker.Declared(tool.export().execution().limits(), tool.code()));
        }

        @Override
        public int pending(ToolRef ref) {
            return waiting.applyAsInt(ref);
        }

        @Override
        public long nanos() {
            return monotonic.getAsLong() - start;
        }

        @Override
        public Duration until(Instant deadline) {
            return Duration.between(instants.instant(), deadline);
        }

        @Override
        public Clock clock() {
            return new Monotonic(this::nanos);
        }
    }

    /// Monotonic clock in the form of a [Clock].
    static final class Monotonic extends Clock {
        private final LongSupplier nanos;

        Monotonic(LongSupplier nanos) {
            this.nanos = nanos;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH.plusNanos(nanos.getAsLong());
        }
    }
}
