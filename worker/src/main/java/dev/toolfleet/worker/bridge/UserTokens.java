package dev.toolfleet.worker.bridge;

import java.util.Map;

import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import org.jspecify.annotations.Nullable;

/// Tokens of people for the calls of one tool of a server. Thread-safe.
final class UserTokens {
    private static final String CODE = "E_MCP_UNAUTHORIZED";

    private final String server;
    private volatile @Nullable TokenSource source;

    /// @param server its name, for messages
    UserTokens(String server) {
        this.server = server;
    }

    void set(TokenSource given) {
        source = given;
    }

    /// Returns the header that lets a request act for the user of a call.
    ///
    /// @throws ToolException when that person has not authorized it; nothing was sent
    Map<String, String> header(ToolContext ctx) {
        TokenSource tokens = source;
        if (tokens == null)
            throw new ToolException(CODE, "The MCP server '" + server + "' needs the grant of the call's user, and this"
                    + " worker has none.").suggestion("Tell the user that the operator has to set up OAuth.");
        return switch (tokens.get(ctx)) {
            case TokenAnswer.Ready ready -> Map.of("Authorization", ready.header());
            case TokenAnswer.Required required -> throw new ToolException(CODE,
                    required.message() + " " + required.authorizationUrl())
                    .suggestion("Show the user the link, and call again once they have authorized.");
            case TokenAnswer.Failed(String code, String message) -> throw new ToolException(CODE,
                    code + ": " + message).suggestion("Tell the user.");
        };
    }
}
