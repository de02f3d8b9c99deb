package dev.toolfleet.client.format;

import java.util.List;
import java.util.Map;

import dev.toolfleet.client.format.CatalogFormat.RenderedCatalog;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.client.format.Items.item;
import static org.assertj.core.api.Assertions.assertThat;

/// A provider accepts the output of its format, for every bundle.
class ProviderRulesPropertyTest {
    private static final String SEED = "20261122";
    private static final Map<CatalogFormat, ProviderRules> RULES = Map.of(CatalogFormat.OPENAI,
            ProviderRules.of(CatalogFormat.OPENAI), CatalogFormat.ANTHROPIC, ProviderRules.of(CatalogFormat.ANTHROPIC),
            CatalogFormat.MCP, ProviderRules.of(CatalogFormat.MCP));

    @Property(tries = 300, seed = SEED)
    void aProviderAcceptsWhatItsFormatMakes(@ForAll("catalogs") List<ToolCatalogItem> items) {
        RULES.forEach((format, rules) -> assertThat(rules.refusals(format.render(items).tools())).as(format.name())
                .isEmpty());
    }

    @Property(tries = 100, seed = SEED)
    void everyChangeIsNoted(@ForAll("catalogs") List<ToolCatalogItem> items) {
        RULES.keySet().forEach(format -> {
            RenderedCatalog catalog = format.render(items);
            List<String> noted = catalog.notes().stream().map(Note::tool).toList();
            for (ToolCatalogItem item : items.stream().filter(item -> !noted.contains(item.name())).toList())
                assertThat(catalog.tools().toString()).contains(item.parameters().toString()).contains(item.name());
        });
    }

    @Property(tries = 100, seed = SEED)
    void everyToolCanBeFoundAgain(@ForAll("catalogs") List<ToolCatalogItem> items) {
        for (CatalogFormat format : CatalogFormat.values()) {
            RenderedCatalog catalog = format.render(items);
            assertThat(catalog.names().values())
                    .containsExactlyElementsOf(items.stream().map(ToolCatalogItem::name).distinct().toList());
            assertThat(catalog.tools()).hasSize(catalog.names().size());
        }
    }

    @Provide
    Arbitrary<List<ToolCatalogItem>> catalogs() {
        Arbitrary<String> names = Arbitraries.strings().withChars("ab_-. /é").ofMinLength(1).ofMaxLength(140);
        return Combinators.combine(names, schemas(3), schemas(2), Arbitraries.of(true, false))
                .as((name, parameters, output, checked) -> checked
                        ? Items.checked(name, parameters, output)
                        : item(name, parameters))
                .list().ofMaxSize(6);
    }

    private static Arbitrary<ObjectNode> schemas(int depth) {
        Arbitrary<ObjectNode> leaf = Arbitraries.of("{}", "{\"type\": \"object\"}", "{\"type\": \"array\"}",
                "{\"type\": [\"string\", \"array\"]}", "{\"type\": \"string\", \"enum\": [\"a\"]}",
                "{\"$ref\": \"#/$defs/d\", \"$defs\": {\"d\": {\"type\": \"object\", \"anyOf\": [{}]}}}",
                "{\"const\": 1}").map(text -> (ObjectNode) Json.MAPPER.readTree(text));
        if (depth == 0)
            return leaf;
        Arbitrary<ObjectNode> inner = schemas(depth - 1);
        Arbitrary<String> keyword = Arbitraries.of("anyOf", "oneOf", "allOf", "not", "properties", "items", "required");
        Arbitrary<String> argument = Arbitraries.of("a", "b", "$c", "d e", "x".repeat(70));
        Arbitrary<JsonNode> property = Arbitraries.oneOf(inner.map(schema -> schema),
                Arbitraries.of(true, false).map(value -> Json.MAPPER.valueToTree(value)));
        Arbitrary<ObjectNode> grown = Combinators.combine(leaf, inner, keyword, argument, property)
                .as(ProviderRulesPropertyTest::grow);
        return Arbitraries.oneOf(leaf, grown, Combinators.combine(grown, inner, keyword, argument, property)
                .as(ProviderRulesPropertyTest::grow));
    }

    private static ObjectNode grow(ObjectNode base, ObjectNode inner, String keyword, String argument,
            JsonNode property) {
        ObjectNode grown = base.deepCopy();
        switch (keyword) {
            case "properties" -> grown.withObjectProperty("properties").set(argument, property.deepCopy());
            case "required" -> grown.putArray("required").add(argument);
            case "not", "items" -> grown.set(keyword, inner.deepCopy());
            default -> grown.withArrayProperty(keyword).add(inner.deepCopy());
        }
        return grown;
    }
}
