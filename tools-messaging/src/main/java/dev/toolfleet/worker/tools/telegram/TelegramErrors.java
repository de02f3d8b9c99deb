package dev.toolfleet.worker.tools.telegram;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/// Meaning of Telegram's error descriptions for a model. Pure.
final class TelegramErrors {
    private TelegramErrors() {}

    /// Returns advice for a model.
    ///
    /// @param movedTo the id that a group has now; null if it has not moved
    static String suggestion(String description, @Nullable Long movedTo) {
        String said = description.toLowerCase(Locale.ROOT);
        if (movedTo != null)
            return "The group has another id now: call again with chatId " + movedTo + ".";
        if (said.contains("chat not found") || said.contains("bot was kicked") || said.contains("bot was blocked")
                || said.contains("not a member"))
            return "Check chatId. If it is right, ask the user to start a chat with the bot or to add it to the group.";
        if (said.contains("can't parse entities"))
            return "Escape what the parse mode reserves, or leave parseMode out to send the text as it is.";
        if (said.contains("message is too long"))
            return "Send a shorter text, or several messages of at most 4096 characters.";
        if (said.contains("message to") || said.contains("message can't be") || said.contains("message_id_invalid"))
            return "Check chatId and messageId; the message may be gone, too old, or not the bot's own.";
        if (said.contains("unauthorized"))
            return "Do not try again. Tell the user that the operator has to set a valid bot token.";
        return "Correct the arguments if the error names one of them; otherwise tell the user what failed.";
    }
}
