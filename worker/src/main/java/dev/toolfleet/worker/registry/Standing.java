package dev.toolfleet.worker.registry;

import java.time.Instant;

import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.Registration;
import dev.toolfleet.wire.ToolRef;

/// How the declaration of a tool stands.
public enum Standing {
    /// It is declared.
    DECLARED,
    /// It is registered, and no worker has renewed its lease in time.
    LAPSED,
    /// Nobody declares it any more, or not yet.
    GONE;

    static Standing of(FleetResources resources, ToolRef ref, Instant now) {
        if (resources.tool(ref).isEmpty())
            return GONE;
        Registration registration = resources.registrations().get(ref.bundle());
        return registration == null || registration.isLive(now) ? DECLARED : LAPSED;
    }
}
