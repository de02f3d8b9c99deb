package dev.toolfleet.client.turn;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// Call of a tool as a framework passes it on from its model.
///
/// @param id the model's id of the call; empty when the model gave none
/// @param name the tool's name
/// @param arguments the arguments as JSON text; blank for none
public record ModelCall(String id, String name, String arguments) {

    /// Makes the fleet's call of a step. Text that is no JSON stays text: the fleet refuses it with advice for the model.
    ToolCall in(StepStarted step, String ownId, String catalogDigest) {
        return new ToolCall(ownId, name, parsed(), step.instanceKey(), step.agentName(), step.turnId(), step.stepId(),
                step.stepIndex(), null, step.userId(), step.channelId(), null, null, catalogDigest, null);
    }

    private JsonNode parsed() {
        if (arguments.isBlank())
            return Json.MAPPER.createObjectNode();
        try {
            return Json.MAPPER.readTree(arguments);
        } catch (JacksonException e) {
            return StringNode.valueOf(arguments);
        }
    }
}
