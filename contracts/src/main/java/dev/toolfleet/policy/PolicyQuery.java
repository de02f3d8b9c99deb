package dev.toolfleet.policy;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One question: may this caller call this tool, with these arguments?
///
/// @param arguments as the tool would get them; null for a step, which shows tools before anybody calls them
public record PolicyQuery(PolicyTool tool, PolicyCaller caller, @Nullable JsonNode arguments) {
    /// The question of a step: may there be arguments with which this caller may call this tool? It is denied only when
    /// every call is.
    public static PolicyQuery ofStep(PolicyTool tool, PolicyCaller caller) {
        return new PolicyQuery(tool, caller, null);
    }
}
