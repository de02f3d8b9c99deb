package dev.toolfleet.cli.table;

import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class ShownJsonTest {
    /// ESC, BEL, the one-byte CSI, a mark that turns the direction of writing, a tag beyond the first plane.
    private static final String EVIL = "a\u001b[2J\u0007\u009b31m\u202eb\udb40\udc41";

    private static JsonNode evil() {
        return Json.MAPPER.createObjectNode().put(EVIL, EVIL);
    }

    @Test
    void aLineForProgramsHasTheSameValueAndNothingThatATerminalObeys() {
        for (String json : new String[]{ShownJson.line(evil()), ShownJson.pretty(evil())}) {
            assertThat(json).doesNotContainPattern("[\\p{Cntrl}\u0080-\u009f\u202e&&[^\n]]").contains("\\u009b")
                    .doesNotContain("\udb40");
            assertThat(Json.MAPPER.readTree(json)).isEqualTo(evil());
        }
        assertThat(ShownJson.line(Json.MAPPER.readTree("{\n\"a\": \"x\\ny\"\n}"))).isEqualTo("{\"a\":\"x\\ny\"}");
    }

    @Test
    void aBriefShowsWhatATerminalWouldObeyAsEscapes() {
        assertThat(ShownJson.brief(evil(), 200)).contains("a\\u001b[2J\\u0007\\u009b31m\\u202eb\\u{e0041}")
                .doesNotContainPattern("[\\p{Cntrl}\u0080-\u009f\u202e]");
        assertThat(ShownJson.brief("one\ntwo\u001b]0;x\u0007", 200)).isEqualTo("one⏎two\\u001b]0;x\\u0007");
        assertThat(ShownJson.brief("x".repeat(10_000_000), 20)).isEqualTo("x".repeat(19) + "…");
        assertThat(TextWidth.of(ShownJson.brief(Json.MAPPER.createObjectNode().put("a", EVIL.repeat(50)), 40)))
                .isLessThanOrEqualTo(40);
    }
}
