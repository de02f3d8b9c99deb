package dev.toolfleet.worker.tools.slack;

import java.util.Set;

import tools.jackson.databind.JsonNode;

/// Meaning of Slack's error codes for a model. Pure.
final class SlackErrors {
    /// Codes with which a part of the request may have been done, by Slack's documentation.
    private static final Set<String> MAYBE_DONE = Set.of("fatal_error", "internal_error", "request_timeout",
            "service_unavailable");

    private SlackErrors() {}

    static boolean maybeDone(String error) {
        return MAYBE_DONE.contains(error);
    }

    /// Returns the code, with the missing scopes that Slack names.
    static String shown(String error, JsonNode answer) {
        String needed = answer.path("needed").asString("");
        return needed.isEmpty() ? error : error + " (needs " + needed + ")";
    }

    static String suggestion(String error) {
        return switch (error) {
            case "channel_not_found", "not_in_channel", "is_archived" -> "Check channelId; it is an id such as "
                    + "C0123456789. If it is right, ask the user to invite the bot to the channel.";
            case "message_not_found", "thread_not_found", "no_text", "bad_timestamp" -> "Check channelId and messageTs"
                    + " against what the export read returns; the message may be gone.";
            case "cant_update_message", "cant_delete_message", "edit_window_closed" ->
                "Only messages that the bot sent itself can be changed. Send a new message instead.";
            case "invalid_name", "too_many_emoji", "too_many_reactions" -> "Use the name of an emoji that the "
                    + "workspace has, such as thumbsup.";
            case "msg_too_long" -> "Send a shorter text, or several messages.";
            case "missing_scope", "not_allowed_token_type", "invalid_auth", "not_authed", "token_revoked",
                    "token_expired", "account_inactive" ->
                "Do not try again. Tell the user that the operator has to give the bot a valid token with the scopes.";
            default -> "Correct the arguments if the error names one of them; otherwise tell the user what failed.";
        };
    }
}
