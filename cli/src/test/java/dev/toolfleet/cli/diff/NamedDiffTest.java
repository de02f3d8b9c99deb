package dev.toolfleet.cli.diff;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;

import dev.toolfleet.cli.table.Style;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class NamedDiffTest {
    @Test
    void eachDocumentIsAddedChangedRemovedOrAsBefore() {
        NamedDiff diff = NamedDiff.of(documents("a", "{\"x\":1}", "b", "{\"x\":1}", "c", "{}"),
                documents("b", "{\"x\":2}", "c", "{}", "d", "{\"y\":{\"z\":3}}"));

        assertThat(diff.lines(new Style(false), 80, UnaryOperator.identity())).containsExactly("  + d", "  ~ b",
                "      ~ x: 1 → 2", "  - a");
        assertThat(diff.lines(new Style(false), 80, whole -> Json.MAPPER.createObjectNode())).containsSequence("  + d",
                "      + y: {\"z\":3}");
        assertThat(diff.unchanged()).isEqualTo(1);
        assertThat(diff.reordered()).isFalse();
    }

    @Test
    void anotherOrderIsNoOtherContent() {
        NamedDiff diff = NamedDiff.of(documents("a", "{}", "b", "{}"), documents("b", "{}", "new", "{}", "a", "{}"));

        assertThat(diff.reordered()).isTrue();
        assertThat(NamedDiff.of(documents("a", "{}", "b", "{}"), documents("b", "{}", "a", "{}")).sameContent())
                .isTrue();
    }

    private static SequencedMap<String, JsonNode> documents(String... namesAndJson) {
        SequencedMap<String, JsonNode> documents = new LinkedHashMap<>();
        for (int i = 0; i < namesAndJson.length; i += 2)
            documents.put(namesAndJson[i], Json.MAPPER.readTree(namesAndJson[i + 1]));
        return documents;
    }
}
