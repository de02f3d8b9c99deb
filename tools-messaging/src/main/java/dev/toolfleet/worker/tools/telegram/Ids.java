package dev.toolfleet.worker.tools.telegram;

import java.util.regex.Pattern;

import dev.toolfleet.worker.tools.args.Arguments;
import tools.jackson.databind.JsonNode;

/// The ids among a call's arguments, which models write as numbers and as texts. Pure.
record Ids(Arguments args) {
    private static final Pattern DIGITS = Pattern.compile("0*[1-9][0-9]{0,9}");

    /// The chat, as Telegram's API takes it.
    String chat() {
        JsonNode value = args.input().get("chatId");
        if (value != null && value.isIntegralNumber())
            return value.asString();
        if (value != null && value.isString() && !value.stringValue().isBlank())
            return value.stringValue().strip();
        throw Arguments.invalid("'chatId' must be a non-empty string or integer");
    }

    /// A message of it.
    int message(String key) {
        JsonNode value = args.input().get(key);
        String text = value != null && (value.isIntegralNumber() || value.isString()) ? value.asString().strip() : "";
        if (!DIGITS.matcher(text).matches() || Long.parseLong(text) > Integer.MAX_VALUE)
            throw Arguments.invalid("'" + key + "' must be a positive integer");
        return Integer.parseInt(text);
    }
}
