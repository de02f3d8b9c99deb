package dev.toolfleet.mcp.server;

import java.time.Instant;

import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.protocol.Revision;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Session of a legacy client. All of it is in its id.
///
/// @param name a random name, unique to the session
/// @param revision the revision that was agreed
/// @param capabilities the client's capabilities, as far as a server needs them
/// @param client name and version of the client; null if it did not state them
/// @param principal the principal that opened it
/// @param instance the instance that its calls belong to, as [ToolService#sessionInstance] chose it
/// @param since the time at which it was opened
public record LegacySession(String name, Revision revision, ObjectNode capabilities, @Nullable PeerInfo client,
        String principal, String instance, Instant since) {}
