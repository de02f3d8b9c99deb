package dev.toolfleet.cli.letter;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.json.Json;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Dead letters for people. Nothing that stands in them reaches a terminal as it is. Pure.
final class LetterText {
    private static final int NAMES = 10;
    private static final int WIDEST = 40;
    /// Of a value, in characters; --save has all of it.
    private static final int MOST_VALUE = 64_000;
    private static final int HEX_BYTES = 512;

    private final Style style;
    private final int width;
    private final Instant now;

    LetterText(Style style, int width, Instant now) {
        this.style = style;
        this.width = width;
        this.now = now;
    }

    /// @param fates whether to show what became of them
    List<String> table(Collection<Letter> letters, boolean fates) {
        Grid grid = fates
                ? new Grid(width, "letter", "age", "from", "key", "bytes", "what was done", "reason")
                : new Grid(width, "letter", "age", "from", "key", "bytes", "reason");
        for (Letter letter : letters) {
            List<String> cells = new ArrayList<>(List.of(letter.address().toString(), age(letter.at()),
                    letter.origin().map(Origin::topic).orElse("?"), cell(letter.key()), bytes(letter.bytes())));
            if (fates)
                cells.add(letter.fate().map(this::fate).orElse("–"));
            cells.add(ShownJson.brief(letter.reason(), Math.max(WIDEST, width)));
            grid.row(cells.toArray(String[]::new));
        }
        return grid.lines(style);
    }

    /// All of one.
    List<String> card(Letter letter, ConsumerRecord<byte[], byte[]> record) {
        List<String> lines = new ArrayList<>();
        lines.add(line("Letter", letter.address().toString()));
        lines.add(line("Reason", style.paint(Tone.BAD, visible(letter.reason()))));
        lines.add(line("From", letter.origin().map(Origin::toString).orElse("it does not say")));
        lines.add(line("Since", letter.at() + ", " + age(letter.at()) + " ago"
                + (letter.worker() == null ? "" : ", by " + visible(letter.worker()))));
        lines.add(line("Done", letter.fate().map(this::fate).orElse("nothing yet")));
        lines.add(line("Key", letter.key() == null ? "none" : visible(letter.key())));
        String name = "Headers";
        for (Header header : record.headers()) {
            lines.add(line(name, visible(header.key()) + " = " + headerText(header)));
            name = "";
        }
        lines.add(line("Value", bytes(letter.bytes()) + " bytes"));
        lines.addAll(value(record.value()));
        return lines;
    }

    private static List<String> value(byte @Nullable [] value) {
        if (value == null || value.length == 0)
            return List.of();
        String text = json(value).map(ShownJson::pretty).or(() -> text(value))
                .orElseGet(() -> HexFormat.ofDelimiter(" ")
                        .formatHex(Arrays.copyOf(value, Math.min(HEX_BYTES, value.length))));
        boolean cut = text.length() > MOST_VALUE;
        String kept = cut ? text.substring(0, text.offsetByCodePoints(0, MOST_VALUE / 2)) : text;
        List<String> lines = new ArrayList<>(kept.lines().map(TextWidth::visible).toList());
        if (cut)
            lines.add("… (--save FILE has all of it)");
        return lines;
    }

    /// The value without what sounds secret; empty when it is no JSON.
    static Optional<JsonNode> json(byte @Nullable [] value) {
        if (value == null)
            return Optional.empty();
        try {
            JsonNode node = Json.MAPPER.readTree(value);
            return node == null || node.isMissingNode()
                    ? Optional.empty()
                    : Optional.of(ShownJson.masked(node, Integer.MAX_VALUE));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /// The value as text; empty when it is none.
    static Optional<String> text(byte[] value) {
        try {
            return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static String headerText(Header header) {
        return header.value() == null
                ? "none"
                : visible(new String(header.value(), StandardCharsets.UTF_8));
    }

    private String fate(Fate fate) {
        return fate.word().text() + " " + age(fate.at()) + " ago"
                + (fate.by() == null ? "" : " by " + visible(fate.by()))
                + (fate.note() == null ? "" : ": " + visible(fate.note()));
    }

    private String line(String name, String text) {
        return style.paint(Tone.DIM, TextWidth.left(name, NAMES)) + text;
    }

    private String age(Instant then) {
        return DurationText.coarse(Duration.between(then, now));
    }

    private static String cell(@Nullable String text) {
        return text == null ? "–" : ShownJson.brief(text, WIDEST);
    }

    private static String bytes(int count) {
        return Integer.toString(count);
    }

    private static String visible(String text) {
        return TextWidth.visible(text);
    }
}
