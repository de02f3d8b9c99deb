package dev.toolfleet.cli.diff;

import java.util.List;

import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class FieldChangesTest {
    private static final Style PLAIN = new Style(false);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', nullValues = "-", textBlock = """
            {"a":1}                    | {"a":1.0}                  | -
            {"a":1,"b":2}              | {"b":2,"a":1}              | -
            {"a":1}                    | {"a":2}                    | ~ a: 1 → 2
            {"a":{"b":true}}           | {"a":{"b":true,"c":"x"}}   | + a.c: "x"
            {"a":{"b":[1,2]}}          | {"a":{}}                   | - a.b: [1,2]
            {"a":"1"}                  | {"a":1}                    | ~ a: "1" → 1
            {"a":null}                 | {}                         | - a: null
            {"a":["x","y"]}            | {"a":["n","x","y"]}        | + a[n]: "n"
            {"a":["x","y"]}            | {"a":["y","x"]}            | ~ a (order): ["x","y"] → ["y","x"]
            {"a":["x","x"]}            | {"a":["x","y"]}            | ~ a[1]: "x" → "y"
            {"e":[{"name":"s","t":1}]} | {"e":[{"name":"s","t":2}]} | ~ e[s].t: 1 → 2
            """)
    void aChangeIsNamedByItsPath(String before, String after, @Nullable String line) {
        assertThat(FieldChanges.of(Json.MAPPER.readTree(before), Json.MAPPER.readTree(after)))
                .extracting(change -> change.line(PLAIN, 200))
                .isEqualTo(line == null ? List.of() : List.of(line));
    }

    @Test
    void aLineFitsTheTerminalAndShowsBothValues() {
        FieldChange change = FieldChanges.of(Json.MAPPER.readTree("{\"d\":\"" + "old ".repeat(50) + "\"}"),
                Json.MAPPER.readTree("{\"d\":\"" + "new ".repeat(50) + "\"}")).getFirst();

        String line = change.line(PLAIN, 80);

        assertThat(TextWidth.of(line)).isLessThanOrEqualTo(80);
        assertThat(line).startsWith("~ d: \"old").contains("→ \"new");
    }

    @Test
    void coloursAreUsedOnlyWhereTheTerminalTakesThem() {
        FieldChange change = FieldChanges.of(Json.MAPPER.readTree("{}"), Json.MAPPER.readTree("{\"a\":1}")).getFirst();

        assertThat(change.line(PLAIN, 80)).doesNotContain("\u001B");
        assertThat(change.line(new Style(true), 80)).startsWith("\u001B[32m+ a");
    }

    @Test
    void controlCharactersNeverReachTheTerminal() {
        FieldChange change = FieldChanges
                .of(Json.MAPPER.readTree("{}"), Json.MAPPER.readTree("{\"a\":\"\\u001b[2J\\u009b31m\"}")).getFirst();

        assertThat(change.line(PLAIN, 80).chars()).noneMatch(Character::isISOControl);
    }
}
