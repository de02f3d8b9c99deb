package dev.toolfleet.worker.registry;

import java.time.Instant;

import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.Registration;
import dev.toolfleet.wire.ToolRef;

/// State of a tool's declaration.
public enum DeclarationState {
    /// It is declared.
    DECLARED,
    /// It is registered, and no worker has renewed its lease in time.
    LAPSED,
    /// No bundle declares it any more, or not yet.
    GONE;

    static DeclarationState of(FleetResources resources, ToolRef ref, Instant now) {
        if (resources.tool(ref).isEmpty())
            return GONE;
        Registration registration = resources.registrations().get(ref.bundle());
        return registration == null || registration.isLive(now) ? DECLARED : LAPSED;
    }
}
