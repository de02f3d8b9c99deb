package dev.toolfleet.client.format;

import java.util.List;

import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.client.format.Items.item;
import static org.assertj.core.api.Assertions.assertThat;

class ParameterSchemaTest {
    @Test
    void alternativesAtTheTopBecomeOneObjectWithAllTheirProperties() {
        String schema = """
                {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"],
                 "oneOf": [{"properties": {"path": {"type": "string"}, "n": {"type": "integer"}}, "required": ["path"]},
                           {"properties": {"url": {"type": "string"}, "n": {"type": "string"}}, "required": ["url"]}]}""";

        assertThat(openAi(schema)).isEqualTo(json("""
                {"type": "object", "required": ["id"],
                 "properties": {"id": {"type": "string"}, "path": {"type": "string"},
                   "n": {"anyOf": [{"type": "integer"}, {"type": "string"}]}, "url": {"type": "string"}}}"""));
        assertThat(notes(CatalogFormat.OPENAI, schema)).singleElement().asString().contains("oneOf", "OpenAI",
                "checked");
        assertThat(notes(CatalogFormat.ANTHROPIC, schema)).singleElement().asString().contains("oneOf", "Anthropic");
        assertThat(notes(CatalogFormat.MCP, schema)).isEmpty();
    }

    @Test
    void whatAllAlternativesRequireStaysRequired() {
        assertThat(openAi("""
                {"type": "object", "anyOf": [{"required": ["a", "b"]}, {"required": ["b", "c"]}],
                 "allOf": [{"required": ["d"]}, {"$ref": "#/$defs/more"}],
                 "$defs": {"more": {"properties": {"e": true}, "required": ["e"]}}}""").path("required"))
                .isEqualTo(json("[\"d\", \"e\", \"b\"]"));
    }

    @Test
    void aReferenceAtTheTopIsReplacedByItsTarget() {
        String schema = """
                {"$ref": "#/$defs/call", "$defs": {"call": {"$ref": "#/$defs/real"},
                 "real": {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}}, "b": {"type": "string"}}}""";

        JsonNode adapted = openAi(schema);
        assertThat(adapted.has("$ref")).isFalse();
        assertThat(adapted.at("/properties/a/$ref").asString()).isEqualTo("#/$defs/b");
        assertThat(adapted.at("/$defs/b/type").asString()).isEqualTo("string");
        assertThat(notes(CatalogFormat.OPENAI, schema)).hasSize(2);
    }

    @Test
    void referencesThatLeadInACircleEnd() {
        assertThat(openAi("{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"$ref\": \"#/$defs/a\"}}}").path("type")
                .asString()).isEqualTo("object");
        assertThat(openAi("{\"allOf\": [{\"$ref\": \"#/$defs/a\"}],"
                + " \"$defs\": {\"a\": {\"allOf\": [{\"$ref\": \"#/$defs/a\"}]}}}").has("allOf")).isFalse();
    }

    @Test
    void anArrayWithoutItemsGetsAnyForOpenAiAndDataIsLeftAlone() {
        String schema = """
                {"type": "object", "properties": {
                   "tags": {"type": ["array", "null"]},
                   "deep": {"type": "object", "properties": {"list": {"type": "array"}}},
                   "like": {"default": {"type": "array"}, "enum": [{"type": "array"}]}}}""";

        JsonNode adapted = openAi(schema);
        assertThat(adapted.at("/properties/tags/items")).isEqualTo(json("{}"));
        assertThat(adapted.at("/properties/deep/properties/list/items")).isEqualTo(json("{}"));
        assertThat(adapted.at("/properties/like")).isEqualTo(json(schema).at("/properties/like"));
        assertThat(notes(CatalogFormat.OPENAI, schema)).hasSize(2).first().asString().contains("properties.tags");
        assertThat(notes(CatalogFormat.ANTHROPIC, schema)).isEmpty();
    }

    @Test
    void valuesAtTheTopAreTakenAwayForOpenAiAlone() {
        String schema = "{\"type\": \"object\", \"properties\": {}, \"const\": {}, \"enum\": [{}], \"not\": {}}";

        assertThat(openAi(schema)).isEqualTo(json("{\"type\": \"object\", \"properties\": {}}"));
        assertThat(CatalogFormat.ANTHROPIC.render(List.of(item("a", schema))).tools().at("/0/input_schema"))
                .isEqualTo(json(schema));
    }

    @Test
    void anArgumentThatAnthropicRefusesIsRenamedWhereverItIsNamed() {
        JsonNode adapted = CatalogFormat.ANTHROPIC.render(List.of(item("a", """
                {"type": "object", "properties": {"$top": {"type": "integer"}, "ok": {"type": "string"}},
                 "required": ["ok", "$top"], "dependentRequired": {"$top": ["ok"], "ok": ["$top"]}}"""))).tools()
                .at("/0/input_schema");

        assertThat(adapted.toString()).doesNotContain("$top");
        String name = adapted.at("/required/1").asString();
        assertThat(adapted.path("properties").has(name)).isTrue();
        assertThat(adapted.at("/dependentRequired/ok/0").asString()).isEqualTo(name);
        assertThat(adapted.path("dependentRequired").has(name)).isTrue();
    }

    @Test
    void anotherDraftIsSaid() {
        assertThat(notes(CatalogFormat.ANTHROPIC, "{\"$schema\": \"http://json-schema.org/draft-07/schema#\","
                + " \"type\": \"object\"}")).singleElement().asString().contains("draft-07");
        assertThat(notes(CatalogFormat.ANTHROPIC, "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\","
                + " \"type\": \"object\"}")).isEmpty();
    }

    @Test
    void theItemItselfIsNeverChanged() {
        ObjectNode parameters = (ObjectNode) json("{\"anyOf\": [{\"properties\": {\"$x\": {\"type\": \"array\"}}}]}");
        ObjectNode before = parameters.deepCopy();

        for (CatalogFormat format : CatalogFormat.values())
            format.render(List.of(item("a", parameters)));

        assertThat(parameters).isEqualTo(before);
    }

    private static JsonNode openAi(String schema) {
        return CatalogFormat.OPENAI.render(List.of(item("a", schema))).tools().at("/0/function/parameters");
    }

    private static List<String> notes(CatalogFormat format, String schema) {
        return format.render(List.of(item("a", schema))).notes().stream().map(Note::note).toList();
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }
}
