package dev.toolfleet.policy;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One question: may this caller call this tool, with these arguments?
///
/// @param arguments as the tool would get them; null for a step, which shows tools before they are called
public record PolicyQuery(PolicyTool tool, PolicyCaller caller, @Nullable JsonNode arguments) {
    /// Makes the question of a step: may this caller call this tool with some arguments? It is denied only when every
    /// call is.
    public static PolicyQuery ofStep(PolicyTool tool, PolicyCaller caller) {
        return new PolicyQuery(tool, caller, null);
    }
}
