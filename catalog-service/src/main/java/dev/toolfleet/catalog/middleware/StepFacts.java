package dev.toolfleet.catalog.middleware;

import java.util.Optional;

import tools.jackson.databind.JsonNode;

/// Memories of extensions for one instance and agent.
@FunctionalInterface
public interface StepFacts {
    /// No memories.
    StepFacts NONE = (extension, tool) -> Optional.empty();

    /// Returns an extension's memory of a tool's results.
    Optional<JsonNode> of(String extension, String tool);
}
