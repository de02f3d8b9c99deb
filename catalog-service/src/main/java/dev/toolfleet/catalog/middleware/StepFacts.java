package dev.toolfleet.catalog.middleware;

import java.util.Optional;

import tools.jackson.databind.JsonNode;

/// What extensions remember for one instance and agent.
@FunctionalInterface
public interface StepFacts {
    /// Nothing.
    StepFacts NONE = (extension, tool) -> Optional.empty();

    /// What an extension remembers of a tool's results.
    Optional<JsonNode> of(String extension, String tool);
}
