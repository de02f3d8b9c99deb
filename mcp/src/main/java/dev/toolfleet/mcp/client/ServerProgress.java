package dev.toolfleet.mcp.client;

import dev.toolfleet.mcp.rpc.RpcMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Progress of a call.
///
/// @param progress a number that rises
/// @param total the number at the end; null if it is not known
/// @param message a sentence for people; empty for none
public record ServerProgress(double progress, @Nullable Double total, String message) {
    private static final int LONGEST = 2_000;

    static ServerProgress of(RpcMessage.Notification notification) {
        JsonNode params = notification.params();
        String message = params.path("message").stringValue("");
        return new ServerProgress(params.path("progress").doubleValue(0),
                params.path("total").isNumber() ? params.path("total").doubleValue() : null,
                message.length() > LONGEST ? message.substring(0, LONGEST) : message);
    }
}
