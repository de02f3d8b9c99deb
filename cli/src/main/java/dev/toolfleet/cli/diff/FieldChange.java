package dev.toolfleet.cli.diff;

import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One field that is not as before.
///
/// @param path such as `spec.exports[start].timeout`
/// @param before null when it was not there
/// @param after null when it is gone
public record FieldChange(String path, @Nullable JsonNode before, @Nullable JsonNode after) {
    private static final int SHORTEST = 12;

    /// One line of at most `width` columns.
    public String line(Style style, int width) {
        String mark = before == null ? "+" : after == null ? "-" : "~";
        Tone tone = before == null ? Tone.GOOD : after == null ? Tone.BAD : Tone.WAITING;
        int room = Math.max(SHORTEST, width - path.length() - 4);
        return style.paint(tone, mark + " " + TextWidth.oneLine(path) + ": " + values(room));
    }

    private String values(int room) {
        if (before == null || after == null)
            return text(before == null ? after : before, room);
        int half = Math.max(SHORTEST, (room - 3) / 2);
        String old = text(before, Math.max(half, room - 3 - TextWidth.of(after.toString())));
        return old + " → " + text(after, Math.max(half, room - 3 - TextWidth.of(old)));
    }

    private static String text(@Nullable JsonNode value, int room) {
        return TextWidth.cut(TextWidth.oneLine(String.valueOf(value)), room);
    }
}
