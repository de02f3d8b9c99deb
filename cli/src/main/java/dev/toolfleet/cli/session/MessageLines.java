package dev.toolfleet.cli.session;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.json.ShownText;
import tools.jackson.databind.JsonNode;

/// Lines of a message for a terminal: its role, and one line for each text, call and result.
final class MessageLines {
    private static final int MARGIN = 15;
    private static final int MAX_LINE = 140;
    private static final int MAX_LINES = 4;

    private MessageLines() {}

    /// @param data of the message
    /// @param width of the terminal
    static List<String> of(JsonNode data, int width) {
        List<String> lines = new ArrayList<>();
        String role = data.path("role").asString("");
        JsonNode content = data.path("content");
        if (content.isString())
            lines.add(line(role, content.stringValue(), width));
        for (JsonNode part : content) {
            lines.add(line(role, switch (part.path("type").asString("")) {
                case "tool-call" -> "calls " + part.path("toolName").asString("") + " "
                        + part.path("input") + " (" + part.path("toolCallId").asString("") + ")";
                case "tool-result" -> part.path("toolCallId").asString("") + ": "
                        + text(part.path("output").path("value"));
                default -> text(part.path("text"));
            }, width));
        }
        return lines;
    }

    /// Returns a whole text with a word in front of it, on as many lines as it takes up to four.
    static List<String> wrapped(String word, String text, int width) {
        List<String> lines = new ArrayList<>();
        for (String part : TextWidth.wrap(ShownText.of(text.replace('\n', ' ')), columns(width), MAX_LINES))
            lines.add(String.format("%-10s ", lines.isEmpty() ? word : "") + part);
        return lines;
    }

    /// Returns one line with a word in front of it.
    static String line(String word, String text, int width) {
        String shown = ShownText.of(text.replace('\n', ' '));
        return String.format("%-10s ", word) + TextWidth.cut(shown, columns(width));
    }

    private static int columns(int width) {
        return Math.clamp(width - MARGIN, 40, MAX_LINE);
    }

    private static String text(JsonNode value) {
        return value.isString() ? value.stringValue() : value.toString();
    }
}
