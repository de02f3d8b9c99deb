package dev.toolfleet.policy;

import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One question: may this caller call this tool, with these arguments?
///
/// @param arguments as the tool would get them; null for a step, which shows tools before they are called
/// @param labels of the instance
public record PolicyQuery(PolicyTool tool, PolicyCaller caller, @Nullable JsonNode arguments, Set<String> labels) {
    /// Copies the labels.
    public PolicyQuery {
        labels = Set.copyOf(labels);
    }

    /// Makes the question of an instance without labels.
    public PolicyQuery(PolicyTool tool, PolicyCaller caller, @Nullable JsonNode arguments) {
        this(tool, caller, arguments, Set.of());
    }

    /// Makes the question of a step: may this caller call this tool with some arguments? It is denied only when every
    /// call is.
    public static PolicyQuery ofStep(PolicyTool tool, PolicyCaller caller) {
        return new PolicyQuery(tool, caller, null);
    }

    /// Returns the same question of an instance with these labels.
    public PolicyQuery labelled(Set<String> all) {
        return new PolicyQuery(tool, caller, arguments, all);
    }
}
