package dev.toolfleet.tool;

import java.time.Instant;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Work elsewhere under a handle, as its module gets it in polls and cancellations.
///
/// @param handle the work's handle
/// @param input the arguments of the call that began it
/// @param output the handler's output beside the handle, after the fleet's guard; null for none
/// @param instanceKey the conversation
/// @param agentName the agent whose model called; null when the call named none
/// @param toolCallId the model's id of the call
/// @param startedAt the start of the wait for the handle
/// @param deadline the expiry of the handle
public record PendingWork(String handle, ObjectNode input, @Nullable JsonNode output, String instanceKey,
        @Nullable String agentName, String toolCallId, Instant startedAt, Instant deadline) {}
