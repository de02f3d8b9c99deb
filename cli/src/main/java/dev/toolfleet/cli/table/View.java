package dev.toolfleet.cli.table;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Look of the tables and cards of all operator commands at one moment. Texts of strangers come out as [#cell] and
/// [#shown] make them: on one line, with nothing in them that a terminal obeys. Pure.
///
/// @param width columns of a line
/// @param now the moment to which ages refer
public record View(Style style, int width, Instant now) {
    private static final String NOTHING = "–";

    /// View for a terminal, or for a file or a program that reads lines of the same width.
    public static View of(Terminal terminal, Instant now) {
        return new View(new Style(terminal.colour()), terminal.width(), now);
    }

    /// View with lines of `fileWidth` columns where no terminal holds them.
    public static View of(Terminal terminal, Instant now, int fileWidth) {
        return new View(new Style(terminal.colour()), terminal.interactive() ? terminal.width() : fileWidth, now);
    }

    /// An empty table as wide as this view.
    public Grid grid(String... head) {
        return new Grid(width, head);
    }

    /// The lines of a table.
    public List<String> lines(Grid grid) {
        return grid.lines(style);
    }

    /// An empty card whose texts begin at column `names`.
    public Card card(int names) {
        return new Card(names);
    }

    /// `text` in that tone.
    public String paint(Tone tone, String text) {
        return style.paint(tone, text);
    }

    /// The time since `then`, in whole units.
    public String age(Instant then) {
        return DurationText.coarse(Duration.between(then, now));
    }

    /// The time until `deadline`, in whole units; `over` when it has passed.
    public String left(Instant deadline, String over) {
        return deadline.isAfter(now) ? DurationText.coarse(Duration.between(now, deadline)) : over;
    }

    /// A table's cell of at most `widest` columns; a dash for null.
    public static String cell(@Nullable String text, int widest) {
        return text == null ? NOTHING : ShownJson.brief(text, widest);
    }

    /// A text of strangers on one line.
    public static String shown(String text) {
        return TextWidth.visible(TextWidth.oneLine(text));
    }

    /// `what` and a name behind it; empty without a name.
    public static String named(String what, @Nullable String name) {
        return name == null ? "" : what + shown(name);
    }

    /// An instant in whole seconds.
    public static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /// Sets a field of an object for programs, unless its value is null.
    public static void put(ObjectNode json, String field, @Nullable Object value) {
        if (value != null)
            json.put(field, Objects.toString(value));
    }

    /// Lines with a name each, such as all that is known of one call.
    public final class Card {
        private final int names;
        private final List<String> lines = new ArrayList<>();

        private Card(int names) {
            this.names = names;
        }

        /// Adds a line with a name; an empty name continues the line before.
        public Card line(String name, String text) {
            lines.add((style.paint(Tone.DIM, TextWidth.left(name, names)) + text).stripTrailing());
            return this;
        }

        /// Adds a line if there is something to say.
        public Card lineIf(boolean said, String name, String text) {
            return said ? line(name, text) : this;
        }

        /// Adds lines as they are.
        public Card add(Collection<String> more) {
            lines.addAll(more);
            return this;
        }

        /// All lines.
        public List<String> lines() {
            return List.copyOf(lines);
        }
    }
}
