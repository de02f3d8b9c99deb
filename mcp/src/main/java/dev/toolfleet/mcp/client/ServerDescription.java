package dev.toolfleet.mcp.client;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.protocol.Revision;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Server as it describes itself.
///
/// @param revision the revision that the conversation uses
/// @param info its name and version; null if it does not state them
/// @param capabilities its capabilities
/// @param instructions its advice for models; empty for none
public record ServerDescription(Revision revision, @Nullable PeerInfo info, ObjectNode capabilities,
        String instructions) {
    /// Returns the era to open the next conversation with.
    public EraChoice era() {
        return revision.isModern() ? EraChoice.MODERN : EraChoice.LEGACY;
    }

    /// True if it has tools.
    public boolean hasTools() {
        return capabilities.path("tools").isObject();
    }

    /// True if it reports changes of its list of tools.
    public boolean reportsToolChanges() {
        return capabilities.path("tools").path("listChanged").booleanValue(false);
    }

    /// True if calls of its tools may become tasks.
    public boolean hasTasks() {
        return revision.isModern()
                ? capabilities.path("extensions").path(Meta.TASKS_EXTENSION).isObject()
                : capabilities.path("tasks").path("requests").path("tools").path("call").isObject();
    }
}
