package dev.toolfleet.tool;

import java.time.Instant;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Work that goes on elsewhere under a handle, as its module is asked or told of it.
///
/// @param handle under which it goes on
/// @param input the arguments of the call that began it
/// @param output what its handler returned beside the handle, after the fleet's guard; null when that was nothing
/// @param instanceKey the conversation
/// @param agentName the agent whose model called; null when the call named none
/// @param toolCallId the model's id of the call
/// @param startedAt when it was handed over to the handle
/// @param deadline when the handle expires
public record PendingWork(String handle, ObjectNode input, @Nullable JsonNode output, String instanceKey,
        @Nullable String agentName, String toolCallId, Instant startedAt, Instant deadline) {}
