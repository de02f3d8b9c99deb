package dev.toolfleet.hosts;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.tool.ToolException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// Errors of calls whose handler runs in a host. Each names the Tool.
final class HostErrors {
    private HostErrors() {}

    static ToolException down(String tool, String reason) {
        return new ToolException(ErrorCode.E_TOOL_HOST_DOWN.name(),
                "No process runs the handlers of '" + tool + "': " + reason + ".");
    }

    static ToolException unknown(String tool, String reason) {
        return new ToolException(ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name(),
                "The process of '" + tool + "' had the call and gave no answer: " + reason + ".");
    }

    static ToolException crashed(String tool, String reason) {
        return new ToolException(ErrorCode.E_TOOL.name(),
                "The process of '" + tool + "' had the call and gave no answer, twice: " + reason + ".")
                .suggestion("The tool may be called again, with other arguments: these may be what ends its process.");
    }

    static ToolException unreadable(String tool, String reason) {
        return new ToolException(ErrorCode.E_TOOL_RESULT_INVALID.name(),
                "The answer of '" + tool + "' cannot be read: " + reason + ".");
    }

    /// Returns the failure of a handler, from the error of its host.
    static ToolException failed(HostReply.Failed failed) {
        return failure(failed.message(), failed.data());
    }

    /// Returns a failure that a module reports in an answer: `{code?, message, name?, suggestion?, helpUrl?}`.
    static ToolException reported(JsonNode error) {
        return failure(error.path("message").stringValue("The work failed."), error);
    }

    private static ToolException failure(String message, @Nullable JsonNode about) {
        JsonNode data = about == null ? MissingNode.getInstance() : about;
        ToolException failure = new ToolException(data.path("code").stringValue(ErrorCode.E_TOOL.name()), message);
        String name = data.path("name").stringValue(null);
        if (name != null)
            failure.named(name);
        String suggestion = data.path("suggestion").stringValue(null);
        if (suggestion != null)
            failure.suggestion(suggestion);
        String helpUrl = data.path("helpUrl").stringValue(null);
        if (helpUrl != null)
            failure.helpUrl(helpUrl);
        return failure;
    }
}
