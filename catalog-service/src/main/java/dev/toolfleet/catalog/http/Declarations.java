package dev.toolfleet.catalog.http;

import java.util.Optional;

import dev.toolfleet.http.Health;
import dev.toolfleet.resources.FleetResources;

/// What the routes ask about the service itself. Thread-safe.
public interface Declarations extends Health {
    /// What every bundle shows now, and what is registered, lapsed or not; empty until `tool.resource` has been read to its end.
    Optional<FleetResources> resources();
}
