import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.mcp.client.ClientSettings;
import dev.toolfleet.mcp.client.McpClient;
import dev.toolfleet.mcp.client.ProgressListener;
import dev.toolfleet.mcp.client.ServerListener;
import dev.toolfleet.mcp.client.ToolRequest;
import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.mcp.transport.HttpEndpoint;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The client of the fleet's bridge, as the conformance suite wants it: lists the tools of the server and calls them.
class Client {
    private static final JsonMapper JSON = new JsonMapper();

    public static void main(String[] args) throws Exception {
        URI url = URI.create(args[args.length - 1]);
        try (McpClient client = McpClient.overHttp(HttpEndpoint.of(url, Map.of()),
                ClientSettings.of(new PeerInfo("toolfleet-worker", "1")), ServerListener.NONE)) {
            System.out.println(client.server());
            for (ToolRequest call : calls(client.tools().tools()))
                System.out.println(client.call(call, ProgressListener.NONE).await(Duration.ofSeconds(10)));
        }
    }

    private static List<ToolRequest> calls(List<ToolDefinition> tools) {
        List<ToolRequest> calls = new ArrayList<>();
        JsonNode context = JSON.readTree(System.getenv().getOrDefault("MCP_CONFORMANCE_CONTEXT", "{}"));
        for (JsonNode call : context.path("toolCalls"))
            calls.add(ToolRequest.of(call.path("name").asString(""), (ObjectNode) call.path("arguments")));
        if (calls.isEmpty())
            tools.forEach(tool -> calls.add(ToolRequest.of(tool.name(), arguments(tool.inputSchema()))));
        return calls;
    }

    private static ObjectNode arguments(ObjectNode schema) {
        ObjectNode arguments = JSON.createObjectNode();
        for (String name : schema.path("properties").propertyNames()) {
            switch (schema.path("properties").path(name).path("type").asString("")) {
                case "number", "integer" -> arguments.put(name, arguments.size() + 2);
                case "boolean" -> arguments.put(name, true);
                case "string" -> arguments.put(name, "text");
                default -> {
                    // Left out.
                }
            }
        }
        return arguments;
    }
}
