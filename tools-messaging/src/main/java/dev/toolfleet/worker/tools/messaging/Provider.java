package dev.toolfleet.worker.tools.messaging;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.tool.ToolException;

/// Messaging service, with the words of its tool. Its errors have codes such as `E_SLACK_FAILED`. Pure.
///
/// @param tool the Tool's name, such as `slack`
/// @param name for people, such as `Slack`
/// @param tokenVariables variables of the worker's environment that may hold its token; the first that is set counts
/// @param baseVariable the variable that may hold the address of its API
/// @param defaultBase the address of its API
/// @param place its word for a destination, `channel` or `chat`; a call names one by the argument `channelId` or
/// `chatId`
/// @param lookFirst advice for a request with an unknown outcome, before it is sent again
/// @param hasUsers whether its API takes tokens of people, too
public record Provider(String tool, String name, List<String> tokenVariables, String baseVariable, String defaultBase,
        String place, String lookFirst, boolean hasUsers) {

    /// The key of the configuration that lists where the tool may write, such as `allowChannels`.
    public String allowKey() {
        return "allow" + place.substring(0, 1).toUpperCase(Locale.ROOT) + place.substring(1) + "s";
    }

    /// The argument by which a call names a place, such as `channelId`.
    String placeArgument() {
        return place + "Id";
    }

    /// A place that the operator does not allow.
    ToolException notAllowed(String target) {
        return error(place.toUpperCase(Locale.ROOT) + "_NOT_ALLOWED",
                "[" + tool + "] " + placeArgument() + " '" + target
                        + "' is not among those that the operator allows (" + allowKey() + "). Nothing was sent.",
                "Do not try another spelling. Tell the user that the operator has to allow this " + place + ".");
    }

    /// An error of this tool's own.
    ///
    /// @param kind the rest of the code, such as `FAILED`
    public ToolException error(String kind, String message, String suggestion) {
        return new ToolException("E_" + tool.toUpperCase(Locale.ROOT) + "_" + kind, message).suggestion(suggestion);
    }

    /// The service answered, and said no.
    public ToolException refusal(String what, String why, String suggestion) {
        return refusal(what, 0, why, suggestion);
    }

    /// Returns the same error, with a code.
    ///
    /// @param code the service's own, 0 if it has none
    ToolException refusal(String what, int code, String why, String suggestion) {
        return error("FAILED", "[" + tool + "] " + what + " failed" + (code == 0 ? "" : " (code " + code + ")") + ": "
                + why, suggestion);
    }

    /// Returns the error for a request that has left and whose outcome is unknown.
    ToolException unknown(String what, String why) {
        return new ToolException(ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name(), "[" + tool + "] " + what
                + " request failed: " + why + ". It may have taken effect all the same.").suggestion(lookFirst);
    }

    /// No answer, and no harm in asking again.
    ToolException unanswered(String kind, String what, String why) {
        return error(kind, "[" + tool + "] " + what + " request failed: " + why,
                "Try once more; if it fails again, tell the user that " + name + " cannot be reached.");
    }

    ToolException rateLimited(String what, Duration wait) {
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new ToolException(ErrorCode.E_TOOL_RATE_LIMITED.name(), "[" + tool + "] " + what + " failed: " + name
                + " receives too many requests and accepts the next one in " + seconds + " s. This one had no effect.")
                .suggestion("Wait " + seconds + " s before you call again, and call less often.");
    }
}
