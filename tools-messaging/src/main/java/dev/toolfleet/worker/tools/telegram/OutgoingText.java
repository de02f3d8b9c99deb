package dev.toolfleet.worker.tools.telegram;

import dev.toolfleet.worker.tools.args.Arguments;
import org.jspecify.annotations.Nullable;

/// Text that a call sends, with its options. Absent options are null, and left to Telegram.
record OutgoingText(String text, @Nullable String parseMode, @Nullable Boolean silent, @Nullable Boolean noPreview,
        @Nullable Integer replyTo, @Nullable Boolean evenWithoutReply) {

    static OutgoingText of(Arguments args) {
        return new OutgoingText(args.requiredText("text"),
                args.input().has("parseMode") ? Wording.parseMode(args.text("parseMode")) : null,
                flag(args, "disableNotification"), flag(args, "disableWebPagePreview"),
                args.input().has("replyToMessageId") ? (Integer) new Ids(args).message("replyToMessageId") : null,
                flag(args, "allowSendingWithoutReply"));
    }

    private static @Nullable Boolean flag(Arguments args, String key) {
        return args.input().has(key) ? (Boolean) args.flag(key, false) : null;
    }
}
