package dev.toolfleet.cli.table;

import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;

/// JSON as a person skims it: `path=Hello.java content="class Hello {…"`.
public final class JsonBrief {
    private JsonBrief() {}

    /// `node` on one line of at most `width` columns. An object shows its fields; long values give way so that the
    /// later fields stay in sight.
    public static String of(JsonNode node, int width) {
        if (!node.isObject() || node.isEmpty())
            return TextWidth.cut(value(node), width);
        int share = Math.max(16, width / 2);
        String full = fields(node, width);
        return TextWidth.of(full) <= width ? full : TextWidth.cut(fields(node, share), width);
    }

    private static String fields(JsonNode node, int share) {
        return node.properties().stream()
                .map(field -> TextWidth.cut(TextWidth.oneLine(field.getKey()) + "=" + value(field.getValue()), share))
                .collect(Collectors.joining("  "));
    }

    private static String value(JsonNode node) {
        if (!node.isString())
            return TextWidth.oneLine(node.toString());
        String text = node.stringValue();
        String line = TextWidth.oneLine(text.stripTrailing());
        return line.isEmpty() ? "\"\"" : line;
    }
}
