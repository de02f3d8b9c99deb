package dev.toolfleet.worker.bridge;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Digests;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Digests of the definitions that this worker saw first, by server and tool. They stay until the process ends.
///
/// **Threads.** Any.
final class FirstDefinitions {
    private static final String[] PARTS = {"name", "title", "description", "inputSchema", "outputSchema",
            "annotations", "execution"};

    private final Map<String, String> digests = new ConcurrentHashMap<>();

    /// Returns the digest of all that a model or a policy sees of a definition.
    static String digest(ToolDefinition tool) {
        ObjectNode parts = JsonNodeFactory.instance.objectNode();
        for (String part : PARTS) {
            JsonNode value = tool.json().get(part);
            if (value != null)
                parts.set(part, value);
        }
        return Digests.sha256(CanonicalJson.of(parts));
    }

    /// Returns the digest of the definition that was seen first; this one's, if it is the first.
    String first(String connection, String tool, String digest) {
        String known = digests.putIfAbsent(connection + "/" + tool, digest);
        return known == null ? digest : known;
    }
}
