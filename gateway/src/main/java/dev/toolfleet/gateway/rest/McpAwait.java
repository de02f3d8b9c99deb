package dev.toolfleet.gateway.rest;

import java.time.Duration;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.json.Json;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.mcp.server.RpcException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Tool of the gateway that waits for the result of a call, for clients without tasks. It is never a task itself.
///
/// @param call the call
/// @param patience the longest wait
record McpAwait(CallId call, Duration patience) {
    static final String NAME = "tools__await";
    private static final int USUAL_SECONDS = 50;
    private static final int MOST_SECONDS = 3_600;
    static final ToolDefinition DEFINITION = ToolDefinition.of(definition(), Revision.V2026_07_28);

    private static ObjectNode definition() {
        ObjectNode json = Json.MAPPER.createObjectNode().put("name", NAME).put("title", "Wait for a call")
                .put("description", "Waits for the result of a call that has none yet, and returns it as the tool"
                        + " would have. Waiting starts nothing, and may be repeated.");
        ObjectNode schema = json.putObject("inputSchema").put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        properties.putObject("call").put("type", "string").put("description",
                "The call's id, as the earlier result names it, such as 3-4711.");
        properties.putObject("seconds").put("type", "integer").put("minimum", 0).put("maximum", MOST_SECONDS)
                .put("default", USUAL_SECONDS).put("description", "The longest wait.");
        schema.putArray("required").add("call");
        schema.put("additionalProperties", false);
        json.putObject("annotations").put("readOnlyHint", true).put("destructiveHint", false)
                .put("idempotentHint", true).put("openWorldHint", false);
        json.putObject("execution").put("taskSupport", "forbidden");
        return json;
    }

    /// Reads the arguments.
    static McpAwait of(ObjectNode arguments) throws RpcException {
        JsonNode call = arguments.path("call");
        JsonNode seconds = arguments.path("seconds");
        if (!call.isString())
            throw RpcException.invalid("The argument call of " + NAME + " must be the id of a call, such as 3-4711.");
        if (!seconds.isMissingNode() && !(seconds.isIntegralNumber() && seconds.canConvertToInt()
                && seconds.intValue() >= 0 && seconds.intValue() <= MOST_SECONDS))
            throw RpcException.invalid("The argument seconds of " + NAME + " is " + seconds + "; 0 to " + MOST_SECONDS
                    + " are accepted.");
        try {
            return new McpAwait(CallId.parse(call.stringValue()), Duration.ofSeconds(seconds.intValue(USUAL_SECONDS)));
        } catch (IllegalArgumentException e) {
            throw RpcException.invalid("The argument call of " + NAME + ": " + e.getMessage() + ".");
        }
    }
}
