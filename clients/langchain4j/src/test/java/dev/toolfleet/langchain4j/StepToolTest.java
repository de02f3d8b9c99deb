package dev.toolfleet.langchain4j;

import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class StepToolTest {
    private static JsonNode shown(String name, String parameters) {
        ToolCatalogItem item = new ToolCatalogItem(name, "Prints.", (ObjectNode) json(parameters), source(), ref(),
                null);
        StepTool tool = StepTool.of(List.of(item)).getFirst();
        assertThat(tool.catalogName()).isEqualTo(name);
        return json(tool.specification().toJson());
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text.replace('\'', '"'));
    }

    private static ToolSource source() {
        return new ToolSource(ToolSource.CONFIG, "shop");
    }

    private static ToolRef ref() {
        return new ToolRef("@test/clients", "shop", "print");
    }

    @Test
    void propertiesKeepAllTheirKeywords() {
        JsonNode shown = shown("shop__print",
                "{'type': 'object', 'properties': {'pages': {'type': 'integer', 'minimum':"
                        + " 1}, 'to': {'enum': ['a', 'b']}}, 'required': ['pages'], 'additionalProperties': false}");

        assertThat(shown.at("/name").asString()).isEqualTo("shop__print");
        assertThat(shown.at("/description").asString()).isEqualTo("Prints.");
        assertThat(shown.at("/parameters/properties/pages/minimum").asInt()).isEqualTo(1);
        assertThat(shown.at("/parameters/properties/to/enum")).hasSize(2);
        assertThat(shown.at("/parameters/required")).hasSize(1);
        assertThat(shown.at("/parameters/additionalProperties").asBoolean(true)).isFalse();
    }

    @Test
    void keywordsThatCannotStandAtTheTopAreLeftOut() {
        JsonNode shown = shown("shop__print", "{'type': 'object', 'minProperties': 1, 'additionalProperties': {'type':"
                + " 'string'}, 'oneOf': [{'properties': {'a': {'type': 'string'}}}, {'properties': {'b': {}}}]}");

        assertThat(shown.path("parameters").propertyNames()).containsExactlyInAnyOrder("type", "properties");
        assertThat(shown.at("/parameters/properties").propertyNames()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void aNameThatProvidersRefuseIsReplaced() {
        assertThat(shown("shop.print", "{'type': 'object'}").path("name").asString()).matches("[A-Za-z0-9_-]+");
    }
}
