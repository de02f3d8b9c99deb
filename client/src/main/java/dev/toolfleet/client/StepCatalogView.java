package dev.toolfleet.client;

import java.util.List;

import dev.toolfleet.wire.ToolCatalogItem;

/// The tools that one step's model may see and call.
///
/// @param instanceKey the step's instance
/// @param agentName the agent that takes the step
/// @param turnId the step's turn
/// @param stepId the step
/// @param digest names the content; goes into `ToolCall.catalogDigest`
/// @param tools in the order in which the model should be shown them
public record StepCatalogView(String instanceKey, String agentName, String turnId, String stepId, String digest,
        List<ToolCatalogItem> tools) {
    /// Keeps its own copy.
    public StepCatalogView {
        tools = List.copyOf(tools);
    }
}
