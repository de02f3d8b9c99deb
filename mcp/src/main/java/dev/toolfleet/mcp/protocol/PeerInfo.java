package dev.toolfleet.mcp.protocol;

import dev.toolfleet.mcp.rpc.McpJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Name and version of a program, as it states them itself: for people and logs, never for a decision.
///
/// @param name its name
/// @param version its version
public record PeerInfo(String name, String version) {
    private static final int LONGEST = 200;

    /// Cuts what is longer than 200 characters.
    public PeerInfo {
        name = cut(name);
        version = cut(version);
    }

    /// Reads it, or returns null if the value is none.
    public static @Nullable PeerInfo of(JsonNode json) {
        String name = json.path("name").stringValue(null);
        return name == null ? null : new PeerInfo(name, json.path("version").asString(""));
    }

    /// Returns it as it stands in messages.
    public ObjectNode json() {
        return McpJson.object().put("name", name).put("version", version);
    }

    private static String cut(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) : text;
    }
}
