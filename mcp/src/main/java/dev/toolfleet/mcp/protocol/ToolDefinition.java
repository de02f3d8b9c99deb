package dev.toolfleet.mcp.protocol;

import java.util.Optional;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Definition of a tool, as it stands in `tools/list`. Do not change its JSON.
///
/// @param name its name
/// @param json the whole definition, with fields that are not known here
/// @param parameters the arguments that are repeated in headers
public record ToolDefinition(String name, ObjectNode json, HeaderParameters parameters) {
    /// The longest name.
    public static final int LONGEST_NAME = 1_024;

    /// Reads a definition of a server of that revision. Before 2026-07-28 no arguments are repeated in headers.
    ///
    /// @throws IllegalArgumentException stating what is wrong with it
    public static ToolDefinition of(JsonNode json, Revision revision) {
        String name = json.path("name").stringValue(null);
        if (name == null || name.isEmpty() || name.length() > LONGEST_NAME)
            throw new IllegalArgumentException("its name is no text of 1 to " + LONGEST_NAME + " characters");
        JsonNode input = json.path("inputSchema");
        if (!input.isObject())
            throw new IllegalArgumentException("its inputSchema is no object");
        JsonNode output = json.get("outputSchema");
        if (output != null && !output.isObject() && !output.isBoolean())
            throw new IllegalArgumentException("its outputSchema is no schema");
        return new ToolDefinition(name, (ObjectNode) json,
                revision.isModern() ? HeaderParameters.of(input) : HeaderParameters.NONE);
    }

    /// Returns the schema of its arguments.
    public ObjectNode inputSchema() {
        return (ObjectNode) json.path("inputSchema");
    }

    /// Returns the schema of its structured result, or null.
    public @Nullable JsonNode outputSchema() {
        return json.get("outputSchema");
    }

    /// Returns its description, or an empty text.
    public String description() {
        return json.path("description").stringValue("");
    }

    /// Returns its title for people.
    public Optional<String> title() {
        String title = json.path("title").stringValue(null);
        return Optional.ofNullable(title == null ? json.path("annotations").path("title").stringValue(null) : title);
    }

    /// Returns a hint of its annotations. They are claims of the server, not to be trusted.
    public Optional<Boolean> hint(String name) {
        JsonNode hint = json.path("annotations").path(name);
        return hint.isBoolean() ? Optional.of(hint.booleanValue()) : Optional.empty();
    }

    /// True if a legacy caller has to run it as a task (2025-11-25).
    public boolean requiresLegacyTask() {
        return json.path("execution").path("taskSupport").stringValue("").equals("required");
    }

    /// True if a legacy caller may run it as a task (2025-11-25, `execution.taskSupport`).
    public boolean allowsLegacyTask() {
        String support = json.path("execution").path("taskSupport").stringValue("forbidden");
        return support.equals("optional") || support.equals("required");
    }
}
