package dev.toolfleet.client.format;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.toolfleet.client.format.CatalogFormat.RenderedCatalog;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.client.format.Items.checked;
import static dev.toolfleet.client.format.Items.item;
import static org.assertj.core.api.Assertions.assertThat;

class CatalogFormatTest {
    private static final String COMMAND = """
            {"type": "object", "properties": {"command": {"type": "string", "description": "What."}},
             "required": ["command"], "additionalProperties": false}""";

    @Test
    void openAiGetsFunctionsThatAreNotStrict() {
        assertThat(CatalogFormat.OPENAI.render(List.of(item("bash__exec", COMMAND))).tools()).isEqualTo(json("""
                [{"type": "function", "function": {"name": "bash__exec", "description": "does bash__exec",
                  "parameters": %s, "strict": false}}]""".formatted(COMMAND)));
    }

    @Test
    void anthropicGetsInputSchemas() {
        assertThat(CatalogFormat.ANTHROPIC.render(List.of(item("bash__exec", COMMAND))).tools()).isEqualTo(json("""
                [{"name": "bash__exec", "description": "does bash__exec", "input_schema": %s}]""".formatted(COMMAND)));
    }

    @Test
    void mcpGetsTools() {
        assertThat(CatalogFormat.MCP.render(List.of(item("bash__exec", COMMAND))).tools()).isEqualTo(json("""
                [{"name": "bash__exec", "description": "does bash__exec", "inputSchema": %s}]""".formatted(COMMAND)));
    }

    @Test
    void onlyMcpShowsTheSchemaOfACheckedOutput() {
        ObjectNode output = (ObjectNode) json("{\"type\": \"object\", \"properties\": {\"any\": true}}");
        List<ToolCatalogItem> items = List.of(checked("t__x", (ObjectNode) json(COMMAND), output),
                checked("t__list", (ObjectNode) json(COMMAND), (ObjectNode) json("{\"type\": \"array\"}")),
                item("t__free", COMMAND));

        RenderedCatalog mcp = CatalogFormat.MCP.render(items);

        assertThat(mcp.tools().path(0).path("outputSchema")).as("clients want objects for properties")
                .isEqualTo(json("{\"type\": \"object\", \"properties\": {\"any\": {}}}"));
        assertThat(mcp.tools().path(1).has("outputSchema")).isFalse();
        assertThat(mcp.notes()).singleElement().satisfies(note -> {
            assertThat(note.tool()).isEqualTo("t__list");
            assertThat(note.note()).contains("type: object");
        });
        assertThat(mcp.tools().path(2).has("outputSchema")).isFalse();
        for (CatalogFormat other : List.of(CatalogFormat.OPENAI, CatalogFormat.ANTHROPIC))
            assertThat(other.render(items).tools().toString()).doesNotContain("output");
        assertThat(CatalogFormat.TOOLFLEET.render(items).tools().path(0).path("outputSchema")).isEqualTo(output);
    }

    @ParameterizedTest
    @EnumSource
    void whatEveryProviderAcceptsIsUnchangedAndNotNoted(CatalogFormat format) {
        RenderedCatalog catalog = format.render(List.of(item("bash__exec", COMMAND), item("a__z", COMMAND)));

        assertThat(catalog.names()).containsExactly(Map.entry("bash__exec", "bash__exec"),
                Map.entry("a__z", "a__z"));
        assertThat(catalog.arguments()).isEmpty();
        assertThat(catalog.notes()).isEmpty();
        assertThat(catalog.tools().toString()).contains(json(COMMAND).toString());
    }

    @Test
    void toolfleetsOwnFormatIsTheContent() {
        List<ToolCatalogItem> items = List.of(item("file.read", "{\"anyOf\": [{}]}"), item("ü", "{}"));

        RenderedCatalog catalog = CatalogFormat.TOOLFLEET.render(items);

        assertThat(catalog.tools()).isEqualTo(Json.MAPPER.valueToTree(items));
        assertThat(catalog.notes()).isEmpty();
    }

    @Test
    void aDottedNameIsMappedForModelsAndKeptForMcp() {
        List<ToolCatalogItem> items = List.of(item("file.read", COMMAND));

        RenderedCatalog openAi = CatalogFormat.OPENAI.render(items);
        String called = openAi.tools().at("/0/function/name").asString();
        assertThat(called).startsWith("file_read_").isNotEqualTo("file.read");
        assertThat(openAi.names()).containsEntry(called, "file.read");
        assertThat(openAi.notes()).containsExactly(
                new Note("file.read", "Its name is not allowed here; it is called " + called + "."));
        assertThat(CatalogFormat.ANTHROPIC.render(items).names()).isEqualTo(openAi.names());
        assertThat(CatalogFormat.MCP.render(items).names()).containsEntry("file.read", "file.read");
    }

    @Test
    void ofTwoToolsWithOneNameTheFirstCounts() {
        RenderedCatalog catalog = CatalogFormat.OPENAI
                .render(List.of(item("a", COMMAND), item("a", "{\"type\": \"object\", \"properties\": {}}")));

        assertThat(catalog.tools()).hasSize(1);
        assertThat(catalog.tools().toString()).contains("command");
        assertThat(catalog.notes()).singleElement().extracting(Note::tool).isEqualTo("a");
    }

    @Test
    void moreToolsThanOpenAiTakesAreNotCutButSaid() {
        RenderedCatalog catalog = CatalogFormat.OPENAI
                .render(IntStream.range(0, 129).mapToObj(i -> item("t" + i, COMMAND)).toList());

        assertThat(catalog.tools()).hasSize(129);
        assertThat(catalog.notes()).singleElement().extracting(Note::note).asString().contains("128", "129");
    }

    @Test
    void theAnswerHoldsToolsNamesArgumentsAndNotes() {
        JsonNode answer = CatalogFormat.ANTHROPIC
                .render(List.of(item("a", "{\"type\": \"object\", \"properties\": {\"$top\": {}}}"))).json("sha256:00");

        String argument = answer.at("/tools/0/input_schema/properties").propertyNames().iterator().next();
        assertThat(argument).startsWith("_top_");
        assertThat(answer).isEqualTo(json("""
                {"format": "anthropic", "digest": "sha256:00",
                 "tools": [{"name": "a", "description": "does a",
                            "input_schema": {"type": "object", "properties": {"%1$s": {}}}}],
                 "names": {"a": "a"}, "arguments": {"a": {"%1$s": "$top"}},
                 "notes": [{"tool": "a", "note": "Its argument $top has a name that is not allowed here and is called \
            %1$s; put the original name back before the call is written."}]}""".formatted(argument)));
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }
}
