package dev.toolfleet.worker.bridge;

import java.util.Map;
import java.util.Optional;

import tools.jackson.databind.node.ObjectNode;

/// Settings of one server in one use of the extension.
///
/// @param name its name, the first part of its tools' names
/// @param connection digest of the written address, without the values of secrets: by it first definitions are kept
/// @param address where it is
/// @param trustsAnnotations true if its hints about effects count
/// @param acceptsChanges true if a changed definition counts at once
/// @param defaults fields of the exports of all its tools
/// @param tools by the server's names of its tools: the operator's word on each
/// @param pins by the server's names of its tools: digests of the approved definitions; empty for none
/// @param mostInline the largest binary block that stays in an output, in bytes
/// @param auth `auth` of the exports of all its tools, if calls act for their users
/// @param isOfInstance true if each instance has a process of its own
record ServerSettings(String name, String connection, ServerAddress address, boolean trustsAnnotations,
        boolean acceptsChanges, ObjectNode defaults, Map<String, ToolSettings> tools, Map<String, String> pins,
        int mostInline, Optional<ObjectNode> auth, boolean isOfInstance) {
    ServerSettings {
        tools = Map.copyOf(tools);
        pins = Map.copyOf(pins);
    }

    /// The operator's word on one tool.
    ///
    /// @param enabled false if it is not to be published
    /// @param export fields of its export, before those of the definition and the defaults
    record ToolSettings(boolean enabled, ObjectNode export) {}
}
