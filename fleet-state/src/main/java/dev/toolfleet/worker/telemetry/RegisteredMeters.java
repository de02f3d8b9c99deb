package dev.toolfleet.worker.telemetry;

import java.util.LinkedHashSet;
import java.util.Set;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;

/// Meters that one worker has put into a registry, which it takes out again when it stops. Thread-safe.
final class RegisteredMeters {
    private final MeterRegistry registry;
    private final Set<Meter> meters = new LinkedHashSet<>();

    RegisteredMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /// The registry, for builders of meters.
    MeterRegistry registry() {
        return registry;
    }

    /// Keeps a meter that was just put into the registry.
    synchronized <M extends Meter> M registered(M meter) {
        meters.add(meter);
        return meter;
    }

    /// Takes one out of the registry.
    synchronized void remove(Meter meter) {
        meters.remove(meter);
        registry.remove(meter);
    }

    /// Takes all out of the registry.
    synchronized void clear() {
        meters.forEach(registry::remove);
        meters.clear();
    }
}
