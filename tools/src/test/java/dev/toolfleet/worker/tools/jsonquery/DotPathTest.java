package dev.toolfleet.worker.tools.jsonquery;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DotPathTest {
    private static final JsonNode DOCUMENT = Json.MAPPER.readTree("""
            {"a": {"b c": [10, [20, 21], {"d": "text"}], "0": "zero"}, "n": null, "$": 1}
            """);

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"a.b c[0] | 10", ".a.b c[0] | 10", "a.b c.0 | 10", "a.b c[1][1] | 21",
            "a.b c[2].d | \"text\"", "a.0 | \"zero\"", "a[0] | \"zero\"", "n | null", "$ | 1", "a.b c[01] | [20,21]"})
    void aPathLeadsToItsValue(String path, String value) {
        assertThat(DotPath.parse(path).find(DOCUMENT).orElseThrow()).hasToString(value);
    }

    @Test
    void theRootIsADotOrNothing() {
        assertThat(DotPath.parse(".").find(DOCUMENT)).containsSame(DOCUMENT);
        assertThat(DotPath.parse("").find(DOCUMENT)).containsSame(DOCUMENT);
        assertThat(DotPath.parse("[1]").find(Json.MAPPER.readTree("[1, 2]")).orElseThrow().intValue()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "a.x.y", "a.b c[3]", "a.b c[-1]", "a.b c.first", "a.b c.1x", "a.b c[99999999999]",
            "n.x", "a.b c[2].d.length", "a.b c[2].d[0]", "constructor", "a.toString", "a.b c.length"})
    void whatIsNotThereIsNotFound(String path) {
        assertThat(DotPath.parse(path).find(DOCUMENT)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a..b", "a.", "..", "a[", "a[x]", "a['b']", "a]", "a[0]b", "a[*]", "[]"})
    void whatIsNoPathIsRefused(String path) {
        assertThatExceptionOfType(ToolException.class).isThrownBy(() -> DotPath.parse(path))
                .satisfies(e -> assertThat(e.code()).isEqualTo("E_TOOL_INVALID_ARGS"))
                .withMessageContaining("is no path");
    }
}
