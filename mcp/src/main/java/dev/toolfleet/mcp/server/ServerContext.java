package dev.toolfleet.mcp.server;

import java.util.Optional;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.protocol.Revision;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Circumstances of a request.
///
/// @param caller the caller, as the program around the server knows it
/// @param revision the revision of the request
/// @param capabilities the client's capabilities: of this request, or of its session
/// @param client name and version of the client, not to be trusted; null if it does not state them
/// @param meta the `_meta` of the request; empty for none
/// @param session the session of a legacy client; null in the modern era
/// @param <C> the type of callers
public record ServerContext<C>(C caller, Revision revision, ObjectNode capabilities, @Nullable PeerInfo client,
        ObjectNode meta, @Nullable LegacySession session) {
    /// True if the client can take a task for an answer, by the extension of 2026-07-28.
    public boolean declaresTasks() {
        return revision.isModern() && capabilities.path("extensions").path(Meta.TASKS_EXTENSION).isObject();
    }

    /// True if the client declares that capability.
    public boolean declares(String capability) {
        return capabilities.path(capability).isObject();
    }

    /// True if a call may be answered with questions.
    public boolean mayAsk() {
        return revision.isModern();
    }

    /// Returns the text of a field of `_meta`.
    public Optional<String> metaText(String key) {
        return Optional.ofNullable(meta.path(key).stringValue(null));
    }
}
