package dev.toolfleet.session.transcript;

import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;

/// Tool call in an assistant's entry.
///
/// @param id the model's id; models repeat ids in later turns
/// @param toolName the called tool; may be blank when the model stopped in the middle
/// @param args the arguments, of any shape
public record Call(String id, String toolName, JsonNode args) {
    /// Checks that nothing is absent.
    public Call {
        requireNonNull(id, "id");
        requireNonNull(toolName, "toolName");
        requireNonNull(args, "args");
    }
}
