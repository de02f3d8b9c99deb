package dev.toolfleet.cli.table;

import java.time.Duration;

import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TableTest {
    private static final Style PLAIN = new Style(false);

    @Test
    void wideLettersTakeTwoColumns() {
        assertThat(TextWidth.of("abc")).isEqualTo(3);
        assertThat(TextWidth.of("한국어")).isEqualTo(6);
        assertThat(TextWidth.of("e\u0301")).isEqualTo(1);
    }

    @Test
    void aTextThatIsTooLongIsCutWithoutSplittingALetter() {
        assertThat(TextWidth.cut("abcdef", 4)).isEqualTo("abc…");
        assertThat(TextWidth.cut("한국어", 4)).isEqualTo("한…");
        assertThat(TextWidth.cut("abcd", 4)).isEqualTo("abcd");
        assertThat(TextWidth.cut("abcd", 0)).isEmpty();
        assertThat(TextWidth.cut("x😀y", 3)).isEqualTo("x…");
    }

    @Test
    void padsToTheWidth() {
        assertThat(TextWidth.left("ab", 4)).isEqualTo("ab  ");
        assertThat(TextWidth.right("ab", 4)).isEqualTo("  ab");
        assertThat(TextWidth.left("한", 4)).isEqualTo("한  ");
    }

    @Test
    void aTextBecomesOneLineWithoutControlCharacters() {
        assertThat(TextWidth.oneLine("a\nb\r\nc\td\u001B[31m")).isEqualTo("a⏎b⏎c d[31m");
    }

    @Test
    void anObjectShowsItsFieldsAndLongOnesGiveWay() {
        var node = Json.MAPPER.readTree("{\"content\":\"" + "x".repeat(200) + "\",\"path\":\"A.java\"}");

        String brief = JsonBrief.of(node, 60);

        assertThat(TextWidth.of(brief)).isLessThanOrEqualTo(60);
        assertThat(brief).startsWith("content=xxx").contains("…  path=A.java");
        assertThat(JsonBrief.of(Json.MAPPER.readTree("{\"a\":1,\"b\":\"two words\"}"), 60))
                .isEqualTo("a=1  b=two words");
        assertThat(JsonBrief.of(Json.MAPPER.readTree("[1,2]"), 60)).isEqualTo("[1,2]");
    }

    @Test
    void columnsAreAsWideAsTheirCellsAndNumbersStandRight() {
        Grid grid = new Grid(30, "topic", "n", "what").row("tool.call", "5", "calls").row("x", "12",
                "a text that is too long for the line");

        assertThat(grid.lines(PLAIN)).containsExactly("topic       n  what", "─".repeat(30),
                "tool.call   5  calls", "x          12  a text that is…");
    }

    @Test
    void coloursAppearOnlyWhereTheyAreWanted() {
        assertThat(PLAIN.paint(Style.Tone.BAD, "x")).isEqualTo("x");
        assertThat(new Style(true).paint(Style.Tone.BAD, "x")).isEqualTo("\u001B[31mx\u001B[0m");
    }

    @Test
    void durationsReadWell() {
        assertThat(DurationText.text(Duration.ofMillis(8))).isEqualTo("8 ms");
        assertThat(DurationText.text(Duration.ofMillis(1240))).isEqualTo("1.24 s");
        assertThat(DurationText.text(Duration.ofSeconds(125))).isEqualTo("2 min 05 s");
    }
}
