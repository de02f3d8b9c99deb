package dev.toolfleet.catalog.http;

import java.util.Optional;

import dev.toolfleet.http.Health;
import dev.toolfleet.resources.FleetResources;

/// Resources of the service, for the routes. Thread-safe.
public interface Declarations extends Health {
    /// Returns the present resources of every bundle and all registrations, expired ones included; empty until
    /// `tool.resource` has been read to its end.
    Optional<FleetResources> resources();
}
