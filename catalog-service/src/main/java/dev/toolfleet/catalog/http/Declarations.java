package dev.toolfleet.catalog.http;

import java.util.List;
import java.util.Optional;

import dev.toolfleet.resources.FleetResources;

/// What the routes ask about the service itself. Thread-safe.
public interface Declarations {
    /// What every bundle shows now, and what is registered, lapsed or not; empty until `tool.resource` has been read to its end.
    Optional<FleetResources> resources();

    /// Why the service is not ready, one clause each; empty when it is.
    List<String> notReady();

    /// Whether it works or can come to work again, without a restart.
    boolean isAlive();
}
