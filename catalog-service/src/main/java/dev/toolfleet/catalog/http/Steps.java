package dev.toolfleet.catalog.http;

import java.util.List;
import java.util.Optional;

import dev.toolfleet.wire.ToolCatalogItem;

/// The newest steps of this service's partitions. Thread-safe; methods may wait for a moment.
public interface Steps {
    /// Finds the newest step of an instance's agent.
    Whereabouts find(String instanceKey, String agentName);

    /// Returns the content of that digest; empty when this service has not read it.
    Optional<List<ToolCatalogItem>> content(String digest);
}
