package dev.toolfleet.cli.tail;

import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import org.jspecify.annotations.Nullable;

/// Entries as lines for people. The widest name is unknown before the last record, so each column is as wide as what
/// it has held so far, up to a bound. For one thread.
final class TailText {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);
    private static final int WIDEST = 26;
    /// Width of a column that is not empty. Otherwise: the first lines jump.
    private static final int[] NARROWEST = {8, 16, 8, 10};
    private static final int LEAST_SAID = 20;
    private static final String GAP = "  ";

    private final Style style;
    private final int width;
    private final ZoneId zone;
    private final int[] widths = new int[4];
    private @Nullable LocalDate day;

    /// @param width columns of a line
    /// @param zone of the times that people see
    TailText(Style style, int width, ZoneId zone) {
        this.style = style;
        this.width = width;
        this.zone = zone;
    }

    /// The entry's line, after one with the date when that is another than the line's before.
    List<String> lines(Entry entry) {
        List<String> lines = new ArrayList<>(2);
        ZonedDateTime at = entry.at().atZone(zone);
        if (!at.toLocalDate().equals(day)) {
            day = at.toLocalDate();
            lines.add(style.paint(Tone.DIM, "── " + day + " " + zone.getId() + " ──"));
        }
        String time = TIME.format(at);
        StringBuilder line = new StringBuilder(style.paint(Tone.DIM, time));
        int used = TextWidth.of(time);
        used += column(line, 0, entry.instance(), Tone.PLAIN);
        used += column(line, 1, entry.name(), Tone.NAME);
        used += column(line, 2, entry.state().text(), entry.state().tone());
        used += column(line, 3, entry.id(), Tone.DIM);
        String said = said(entry, Math.max(LEAST_SAID, width - used - GAP.length()));
        if (!said.isEmpty())
            line.append(GAP).append(said);
        lines.add(line.toString().stripTrailing());
        return lines;
    }

    private static String said(Entry entry, int left) {
        String text = ShownJson.brief(entry.said(), left);
        if (entry.payload() == null)
            return text;
        int rest = left - (text.isEmpty() ? 0 : TextWidth.of(text) + GAP.length());
        return rest < 1 ? text : (text.isEmpty() ? "" : text + GAP) + ShownJson.brief(entry.payload(), rest);
    }

    /// Nothing of a column that has held nothing yet.
    private int column(StringBuilder line, int index, String text, Tone tone) {
        String cell = ShownJson.brief(text, WIDEST);
        if (!cell.isEmpty())
            widths[index] = Math.max(Math.max(widths[index], NARROWEST[index]), TextWidth.of(cell));
        if (widths[index] == 0)
            return 0;
        line.append(GAP).append(style.paint(tone, cell)).append(" ".repeat(widths[index] - TextWidth.of(cell)));
        return GAP.length() + widths[index];
    }
}
