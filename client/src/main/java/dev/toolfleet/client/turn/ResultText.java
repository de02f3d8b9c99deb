package dev.toolfleet.client.turn;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Texts in which a model reads results.
final class ResultText {
    /// The longest arguments that news repeat, in UTF-16 units.
    private static final int SHOWN_ARGUMENTS = 500;

    private ResultText() {}

    /// Returns the text of a final result: its output, or the error with its advice; and the fleet's notice.
    static String ofFinal(ToolResult result) {
        ToolError error = result.error();
        String text = error == null ? shown(result.output()) : of(error);
        return result.notice() == null ? text : text + "\n\n" + result.notice();
    }

    /// Returns the text of a result that is not final: it keeps the model from calling again and from waiting.
    static String ofPending(ToolResult result) {
        String output = shown(result.output());
        String notice = result.notice() == null ? "" : "\n" + result.notice();
        return "This call is not finished; its handle is " + result.handle() + "." + (output.isEmpty() ? "" : "\n")
                + output + notice
                + "\nIts result will be sent to you in a later message. Do not call this tool again for it.";
    }

    /// Returns the text of a call without a result.
    static String ofNone(String tool, @Nullable String problem) {
        return "No result of " + tool + " came: " + problem + ". The call may have run, or may still run. Do not repeat"
                + " it unless it changes nothing.";
    }

    /// Returns the text of news. It stands on its own, since the tool message may be forgotten by then.
    static String ofNews(ToolCall call, ToolResult result) {
        String handle = result.handle() == null ? "" : ", handle " + result.handle();
        return "[tool result] " + call.name() + handle + ", called with " + shortened(call.args().toString()) + ": "
                + (result.error() == null ? "ok" : "error") + "\n" + ofFinal(result);
    }

    /// Returns the text of news that no result came.
    static String ofLost(ToolCall call, @Nullable String problem) {
        return "[tool result] " + call.name() + ", called with " + shortened(call.args().toString()) + ": unknown\n"
                + ofNone(call.name(), problem);
    }

    private static String of(ToolError error) {
        String suggestion = error.suggestion() == null ? "" : "\n" + error.suggestion();
        return error.code() + ": " + error.message() + suggestion;
    }

    private static String shown(@Nullable JsonNode output) {
        if (output == null || output.isNull())
            return "";
        return output.isString() ? output.asString() : output.toString();
    }

    private static String shortened(String text) {
        return text.length() <= SHOWN_ARGUMENTS ? text : text.substring(0, SHOWN_ARGUMENTS) + "…";
    }
}
