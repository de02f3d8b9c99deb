package dev.toolfleet.worker.bridge;

import java.io.IOException;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.mcp.protocol.ContentBlock;
import dev.toolfleet.mcp.protocol.InputQuestions;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.tool.ToolException;
import org.jspecify.annotations.Nullable;

/// Errors of bridged calls. Each names the server.
final class BridgeErrors {
    /// There is no connection to the server. Nothing has happened.
    static final String DOWN = "E_MCP_SERVER_DOWN";
    /// The server answered with an error of the protocol, or refused the request.
    static final String ERROR = "E_MCP_ERROR";
    /// The tool answered that it failed.
    static final String TOOL = "E_MCP_TOOL_ERROR";
    /// The server needs an answer of a person, and did nothing yet.
    static final String INPUT = "E_TOOL_INPUT_REQUIRED";

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY = 429;

    private BridgeErrors() {}

    static ToolException down(String message) {
        return new ToolException(DOWN, message).suggestion("Nothing has happened. Try again in a minute; if it fails "
                + "again, use another tool or tell the user that this server is not available.");
    }

    static ToolException notSent(String server, String reason) {
        return down("The request did not reach the MCP server '" + server + "': " + reason + ".");
    }

    static ToolException unknown(String server, String reason) {
        return new ToolException(ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name(),
                "The MCP server '" + server + "' had the request and gave no answer: " + reason + ".");
    }

    static ToolException died(String server, String reason) {
        return new ToolException(DOWN, "The MCP server '" + server + "' had the request and gave no answer, twice: "
                + reason + ".")
                .suggestion("The tool changes nothing, so it may be called again, with other arguments.");
    }

    static ToolException unreadable(String server, String reason) {
        return new ToolException(ErrorCode.E_TOOL_RESULT_INVALID.name(),
                "The answer of the MCP server '" + server + "' cannot be read: " + reason + ".");
    }

    static ToolException input(String server, InputQuestions questions) {
        return new ToolException(INPUT,
                "The MCP server '" + server + "' needs an answer before it goes on, and nothing "
                        + "has happened yet.")
                .suggestion("Ask the user, and call again with what the server wants to know: "
                        + questions.text());
    }

    /// The server's task asked a question, which ended it.
    static ToolException taskInput(String server, InputQuestions questions) {
        return new ToolException(INPUT,
                "The task of the MCP server '" + server + "' needed an answer before it went on,"
                        + " and was cancelled. It may have had effects.")
                .suggestion("Ask the user, and call again with what the server wants to know: "
                        + questions.text());
    }

    static ToolException taskCancelled(String server, @Nullable String reason) {
        return new ToolException(ERROR, "The MCP server '" + server + "' has cancelled the task"
                + (reason == null || reason.isBlank() ? "." : ": " + reason.strip()))
                .suggestion("The call may have had effects; check before you repeat it.");
    }

    static ToolException unwritten(String server, IOException e) {
        return new ToolException(ErrorCode.E_TOOL_RESULT_INVALID.name(), "The tool of the MCP server '" + server
                + "' has run, and a file of its answer cannot be written: " + e.getMessage() + ".");
    }

    static ToolException failed(String server, RpcError error) {
        String message = "The MCP server '" + server + "' answered with error " + error.code() + ": " + error.message();
        return error.isRefusal()
                ? new ToolException(ERROR, message).suggestion("The server did nothing. Correct the arguments if the "
                        + "message says what is wrong with them; otherwise tell the user.")
                : new ToolException(ERROR, message).suggestion("The call may have had effects; check before you repeat "
                        + "it.");
    }

    static ToolException rejected(String server, int status, String text) {
        String message = "The MCP server '" + server + "' refused the request with HTTP " + status
                + (text.isBlank() ? "." : ": " + text.strip());
        return new ToolException(ERROR, message).suggestion(switch (status) {
            case UNAUTHORIZED, FORBIDDEN ->
                "Nothing has happened. The credentials of the fleet do not suffice; tell the "
                        + "user that its operator has to look at them.";
            case TOO_MANY -> "Nothing has happened. Wait before you call it again.";
            default -> "Nothing has happened. Do not repeat the call unchanged; tell the user.";
        });
    }

    static ToolException toolFailed(String server, McpReply reply) {
        StringBuilder text = new StringBuilder();
        for (ContentBlock block : reply.blocks()) {
            if (block instanceof ContentBlock.Text(String part, var _))
                text.append(text.isEmpty() ? "" : "\n").append(part);
        }
        if (text.isEmpty())
            text.append(reply.structured() == null
                    ? "The tool of the MCP server '" + server + "' failed and gave no reason."
                    : String.valueOf(reply.structured()));
        return new ToolException(TOOL, text.toString()).named("McpToolError");
    }
}
