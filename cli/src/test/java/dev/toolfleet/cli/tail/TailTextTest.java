package dev.toolfleet.cli.tail;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TailTextTest {
    private static Entry entry(String at, String instance, String tool, String said) {
        return new Entry(Instant.parse(at), instance, "coder", List.of(tool), tool, new Entry.State("ok", Tone.GOOD),
                "call_1", said, Json.MAPPER.createObjectNode().put("text", "y".repeat(300)),
                Json.MAPPER.createObjectNode());
    }

    @Test
    void columnsGrowAndLinesFit() {
        TailText text = new TailText(new Style(false), 120, ZoneId.of("Europe/Berlin"));

        List<String> first = text.lines(entry("2026-11-21T20:00:00.123Z", "i", "bash__exec", ""));
        List<String> second = text.lines(
                entry("2026-11-21T20:00:01Z", "telegram:1234567890123456789012345678901234567890", "t__x", "said"));
        List<String> third = text.lines(entry("2026-11-21T20:00:02Z", "i", "t__x", ""));

        assertThat(first).hasSize(2);
        assertThat(first.getFirst()).contains("2026-11-21 Europe/Berlin");
        assertThat(first.getLast()).startsWith("21:00:00.123  i         bash__exec")
                .contains("ok", "call_1", "text=yyy")
                .endsWith("…");
        assertThat(second).singleElement().asString().contains("telegram:1234567890123456…", "said  text=yy");
        assertThat(third.getFirst().indexOf("t__x")).isEqualTo(second.getFirst().indexOf("t__x"));
        assertThat(third).allSatisfy(line -> assertThat(TextWidth.of(line)).isLessThanOrEqualTo(120));
    }

    @Test
    void aNewDayIsSaidOnce() {
        TailText text = new TailText(new Style(false), 120, ZoneId.of("Europe/Berlin"));

        assertThat(text.lines(entry("2026-11-21T22:59:59Z", "i", "t", ""))).hasSize(2);
        assertThat(text.lines(entry("2026-11-21T23:00:00Z", "i", "t", ""))).hasSize(2).first().asString()
                .contains("2026-11-22");
        assertThat(text.lines(entry("2026-11-21T23:00:01Z", "i", "t", ""))).hasSize(1);
    }
}
