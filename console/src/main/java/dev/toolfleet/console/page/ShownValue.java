package dev.toolfleet.console.page;

import dev.toolfleet.console.web.VisibleText;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;

/// JSON as a page shows it: indented, safe to read, and no longer than a person reads. Pure.
///
/// @param text the first part
/// @param cut the number of characters that are not shown
record ShownValue(String text, int cut) {
    /// The largest number of characters on a page.
    static final int MOST = 20_000;

    /// Returns the text of a value; empty for none.
    static ShownValue of(@Nullable JsonNode value) {
        if (value == null || value.isMissingNode() || value.isNull())
            return new ShownValue("", 0);
        return ofText(whole(value));
    }

    /// Returns a text as a page shows it.
    static ShownValue ofText(String text) {
        int end = Math.min(text.length(), MOST);
        if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1)))
            end--;
        return new ShownValue(VisibleText.of(text.substring(0, end)), text.length() - end);
    }

    /// Returns all of a value, indented; a text without its quotation marks.
    static String whole(JsonNode value) {
        return value.isString()
                ? value.stringValue()
                : Json.MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value);
    }

    boolean isEmpty() {
        return text.isEmpty();
    }
}
