package dev.toolfleet.cli.table;

import dev.toolfleet.client.approval.MaskedJson;
import dev.toolfleet.json.ShownText;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// JSON that strangers wrote, so that a terminal may show it: nothing in it that a terminal hides or obeys, and no
/// values of fields that sound secret. Pure.
public final class ShownJson {
    private ShownJson() {}

    /// A copy without the values of fields that sound secret.
    ///
    /// @param longest what is kept of a text, in columns
    public static JsonNode masked(JsonNode node, int longest) {
        return MaskedJson.of(node, text -> text.length() > longest ? TextWidth.cut(text, longest) : text);
    }

    /// As a person skims it, on one line of at most `width` columns.
    public static String brief(JsonNode node, int width) {
        return TextWidth.cut(JsonBrief.of(visible(node, width), width), width);
    }

    /// A text of strangers on one line of at most `width` columns.
    public static String brief(String text, int width) {
        return TextWidth.cut(TextWidth.oneLine(visible(text, width)), width);
    }

    /// JSON on one line, for programs: the same value, with what a terminal would obey written as JSON's escapes.
    public static String line(JsonNode node) {
        return escaped(node.toString());
    }

    /// JSON over several lines, for people; the same value, escaped like [#line].
    public static String pretty(JsonNode node) {
        return escaped(node.toPrettyString());
    }

    /// Only texts hold such characters, so that what becomes of them is an escape of JSON's.
    private static String escaped(String json) {
        StringBuilder shown = new StringBuilder(json.length());
        json.codePoints().forEach(c -> {
            if (c != '\n' && ShownText.isHidden(c))
                for (char unit : Character.toChars(c))
                    shown.append("\\u%04x".formatted((int) unit));
            else
                shown.appendCodePoint(c);
        });
        return shown.toString();
    }

    private static JsonNode visible(JsonNode node, int width) {
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode copy = JsonNodeFactory.instance.objectNode();
                object.properties().forEach(
                        field -> copy.set(visible(field.getKey(), width), visible(field.getValue(), width)));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = JsonNodeFactory.instance.arrayNode();
                array.forEach(each -> copy.add(visible(each, width)));
                yield copy;
            }
            default -> node.isString()
                    ? JsonNodeFactory.instance.stringNode(visible(node.stringValue(), width))
                    : node;
        };
    }

    /// Line breaks stay, since a mark stands for them. What no line could hold is not looked at.
    private static String visible(String text, int width) {
        String head = text.codePointCount(0, text.length()) <= 4 * width
                ? text
                : text.substring(0, text.offsetByCodePoints(0, 4 * width));
        return head.replace("\r\n", "\n").lines().map(TextWidth::visible)
                .reduce((one, two) -> one + "\n" + two).orElse("");
    }
}
