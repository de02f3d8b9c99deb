package dev.toolfleet.gateway.rest;

import dev.toolfleet.json.Json;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.mcp.server.RpcException;
import dev.toolfleet.mcp.server.ToolInvocation;
import tools.jackson.databind.node.ObjectNode;

/// Tool of the gateway that calls another tool by its name: one that a search has found since the client read the list.
///
/// **Why.** Models call only the tools of the list that they were given, and many clients do not read it again.
final class McpNamedCall {
    static final String NAME = "tools__call";
    /// The tool whose results name tools that are not listed yet.
    static final String SEARCH = "tool-search__search";
    static final ToolDefinition DEFINITION = ToolDefinition.of(definition(), Revision.V2026_07_28);

    private McpNamedCall() {}

    private static ObjectNode definition() {
        ObjectNode json = Json.MAPPER.createObjectNode().put("name", NAME).put("title", "Call a tool by its name")
                .put("description", "Calls a tool that " + SEARCH + " has found and that is not among your tools, and"
                        + " returns its result. The arguments have to fit the parameters that the search returned.");
        ObjectNode schema = json.putObject("inputSchema").put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        properties.putObject("name").put("type", "string").put("description", "The tool's name, such as "
                + "github__create_issue.");
        properties.putObject("args").put("type", "object").put("description", "Its arguments.");
        schema.putArray("required").add("name");
        schema.put("additionalProperties", false);
        json.putObject("execution").put("taskSupport", "optional");
        return json;
    }

    /// Returns the call that is meant.
    static ToolInvocation of(ToolInvocation call) throws RpcException {
        ObjectNode arguments = call.arguments();
        if (!arguments.path("name").isString() || arguments.path("name").stringValue().equals(NAME))
            throw RpcException.invalid("The argument name of " + NAME + " must be the name of another tool.");
        if (arguments.has("args") && !arguments.path("args").isObject())
            throw RpcException.invalid("The argument args of " + NAME + " must be an object.");
        ObjectNode args = arguments.path("args") instanceof ObjectNode given ? given : arguments.objectNode();
        return new ToolInvocation(call.id(), arguments.path("name").stringValue(), args, call.task(), call.answers(),
                call.state());
    }
}
