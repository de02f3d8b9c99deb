package dev.toolfleet.cli.letter;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.client.letter.Fate;
import dev.toolfleet.client.letter.Letter;
import dev.toolfleet.client.letter.Origin;
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
    /// Most characters that are shown of a value; --save has all of it.
    private static final int MOST_VALUE = 64_000;
    private static final int HEX_BYTES = 512;

    private final View view;

    LetterText(View view) {
        this.view = view;
    }

    /// @param fates whether to show what became of them
    List<String> table(Collection<Letter> letters, boolean fates) {
        Grid grid = fates
                ? view.grid("letter", "age", "from", "key", "bytes", "what was done", "reason")
                : view.grid("letter", "age", "from", "key", "bytes", "reason");
        for (Letter letter : letters) {
            List<String> cells = new ArrayList<>(List.of(letter.address().toString(), view.age(letter.at()),
                    letter.origin().map(Origin::topic).orElse("?"), View.cell(letter.key(), WIDEST),
                    Integer.toString(letter.bytes())));
            if (fates)
                cells.add(letter.fate().map(this::fate).orElse("–"));
            cells.add(ShownJson.brief(letter.reason(), Math.max(WIDEST, view.width())));
            grid.row(cells.toArray(String[]::new));
        }
        return view.lines(grid);
    }

    /// All of one.
    List<String> card(Letter letter, ConsumerRecord<byte[], byte[]> record) {
        View.Card card = view.card(NAMES).line("Letter", letter.address().toString())
                .line("Reason", view.paint(Tone.BAD, visible(letter.reason())))
                .line("From", letter.origin().map(Origin::toString).orElse("it does not say"))
                .line("Since", letter.at() + ", " + view.age(letter.at()) + " ago"
                        + (letter.worker() == null ? "" : ", by " + visible(letter.worker())))
                .line("Done", letter.fate().map(this::fate).orElse("nothing yet"))
                .line("Key", letter.key() == null ? "none" : visible(letter.key()));
        String name = "Headers";
        for (Header header : record.headers()) {
            card.line(name, visible(header.key()) + " = " + headerText(header));
            name = "";
        }
        return card.line("Value", letter.bytes() + " bytes").add(value(record.value())).lines();
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
        return fate.word().text() + " " + view.age(fate.at()) + " ago"
                + (fate.by() == null ? "" : " by " + visible(fate.by()))
                + (fate.note() == null ? "" : ": " + visible(fate.note()));
    }

    private static String visible(String text) {
        return TextWidth.visible(text);
    }
}
