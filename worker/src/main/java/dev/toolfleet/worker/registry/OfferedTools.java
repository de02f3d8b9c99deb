package dev.toolfleet.worker.registry;

import java.time.Instant;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.resources.RegistrationOwner;

/// What one use of an extension offers on this worker at one moment.
///
/// @param openedAt when the extension was loaded, which may go on to publish for a while
/// @param tools by their names
/// @param removed names that it published and took back, or that cannot be offered
public record OfferedTools(RegistrationOwner owner, Instant openedAt, Map<String, ToolDeclaration> tools,
        Set<String> removed) {
    /// Copies the map and the names.
    public OfferedTools {
        tools = Map.copyOf(tools);
        removed = Set.copyOf(removed);
    }
}
