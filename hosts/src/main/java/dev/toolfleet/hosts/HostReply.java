package dev.toolfleet.hosts;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// End of a request to a host.
sealed interface HostReply {
    /// The host answered.
    ///
    /// @param result the answer; JSON null if it had none
    record Answered(JsonNode result) implements HostReply {}

    /// The host answered with an error.
    ///
    /// @param code of JSON-RPC
    /// @param data null for none
    record Failed(int code, String message, @Nullable JsonNode data) implements HostReply {}

    /// The host's answer breaks the protocol.
    record Unreadable(String reason) implements HostReply {}

    /// The host may have read the request, and ended without an answer.
    record Lost(String reason) implements HostReply {}

    /// The host has not got the request, and will not.
    record NotSent(String reason) implements HostReply {}
}
