package dev.toolfleet.worker.registry;

import java.time.Instant;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.resources.RegistrationOwner;

/// Tools that one use of an extension offers on this worker at one moment.
///
/// @param openedAt the time at which the extension was loaded; it may publish for a while afterwards
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
