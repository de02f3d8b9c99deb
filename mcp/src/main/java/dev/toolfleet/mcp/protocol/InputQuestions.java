package dev.toolfleet.mcp.protocol;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.toolfleet.mcp.rpc.McpJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Questions of a server that its client must answer before the request goes on (`InputRequiredResult`, 2026-07-28).
///
/// @param requests the questions by the server's keys, each with `method` and `params`
/// @param state a text that the client gives back as it is; null for none
public record InputQuestions(Map<String, ObjectNode> requests, @Nullable String state) {
    /// Copies the questions.
    public InputQuestions {
        requests = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(requests));
    }

    /// Reads them from a result or from a task.
    public static InputQuestions of(JsonNode json) {
        Map<String, ObjectNode> requests = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> request : json.path("inputRequests").properties()) {
            if (request.getValue().isObject())
                requests.put(request.getKey(), (ObjectNode) request.getValue());
        }
        return new InputQuestions(requests, json.path("requestState").stringValue(null));
    }

    /// Adds them to a result or a task.
    public ObjectNode addTo(ObjectNode json) {
        if (!requests.isEmpty()) {
            ObjectNode all = McpJson.object();
            requests.forEach(all::set);
            json.set("inputRequests", all);
        }
        if (state != null)
            json.put("requestState", state);
        return json;
    }

    /// Returns the texts of the questions, for people: the message of each, or its method.
    public String text() {
        StringBuilder text = new StringBuilder();
        requests.values().forEach(request -> text.append(text.isEmpty() ? "" : "\n").append(request.path("params")
                .path("message").stringValue(request.path("method").stringValue("question"))));
        return text.toString();
    }
}
