package dev.toolfleet.bundle;

import java.util.List;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.toolfleet.json.Json;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// A value that was made by a schema fits it; whatever one change makes of it fits when the library alone says so.
class ValueSchemaPropertyTest {
    private static final String SEED = "86";

    /// @param schema of the value
    /// @param value that the schema describes
    record Described(ObjectNode schema, JsonNode value) {}

    @Property(seed = SEED, tries = 500)
    void whatASchemaDescribesFits(@ForAll("described") Described made) {
        assertThat(new ValueSchema(made.schema()).issues("output", made.value())).isEmpty();
    }

    @Property(seed = SEED, tries = 1000)
    void aChangedValueFitsWhenTheLibraryAloneSaysSo(@ForAll("described") Described made,
            @ForAll("values") JsonNode other, @ForAll int place) {
        JsonNode changed = changed(made.value(), other, Math.floorMod(place, 1000));

        boolean fits = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(made.schema())
                .validate(changed).isEmpty();
        List<String> issues = new ValueSchema(made.schema()).issues("output", changed);

        assertThat(issues.isEmpty()).as("%s by %s: %s", changed, made.schema(), issues).isEqualTo(fits);
        assertThat(issues).hasSizeLessThanOrEqualTo(6);
    }

    /// The value with another in one of its places, or in its own.
    private static JsonNode changed(JsonNode value, JsonNode other, int place) {
        if (value.isEmpty() || place % 4 == 0)
            return other;
        JsonNode copy = value.deepCopy();
        int child = place / 4 % value.size();
        switch (copy) {
            case ArrayNode array -> array.set(child, changed(array.path(child), other, place / 4));
            case ObjectNode object -> {
                String name = List.copyOf(object.propertyNames()).get(child);
                if (place % 4 == 1)
                    object.remove(name);
                else
                    object.set(name, changed(object.path(name), other, place / 4));
            }
            default -> throw new IllegalStateException("a container without children");
        }
        return copy;
    }

    @Provide
    Arbitrary<Described> described() {
        return described(3);
    }

    @Provide
    Arbitrary<JsonNode> values() {
        return described(2).map(Described::value);
    }

    private static Arbitrary<Described> described(int depth) {
        Arbitrary<Described> whole = Arbitraries.integers().between(-9, 9)
                .map(n -> described("{'type':'integer','minimum':-9,'maximum':9}", Json.MAPPER.valueToTree(n)));
        Arbitrary<Described> text = Arbitraries.strings().withCharRange('a', 'e').ofMinLength(1).ofMaxLength(4)
                .map(word -> described("{'type':'string','pattern':'^[a-e]+$','maxLength':4}",
                        Json.MAPPER.valueToTree(word)));
        Arbitrary<Described> word = Arbitraries.of("on", "off")
                .map(each -> described("{'enum':['on','off',null]}", Json.MAPPER.valueToTree(each)));
        Arbitrary<Described> leaf = Arbitraries.oneOf(whole, text, word);
        if (depth == 0)
            return leaf;
        Arbitrary<Described> inner = described(depth - 1);
        return Arbitraries.oneOf(leaf, inner.map(ValueSchemaPropertyTest::list),
                Combinators.combine(inner, inner).as(ValueSchemaPropertyTest::pair),
                Combinators.combine(inner, inner).as(ValueSchemaPropertyTest::either));
    }

    private static Described described(String schema, JsonNode value) {
        return new Described((ObjectNode) Json.MAPPER.readTree(schema.replace('\'', '"')), value);
    }

    private static Described list(Described item) {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("type", "array").put("maxItems", 2);
        schema.set("items", item.schema());
        return new Described(schema, Json.MAPPER.createArrayNode().add(item.value()).add(item.value()));
    }

    private static Described pair(Described a, Described b) {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("type", "object").put("additionalProperties", false);
        ObjectNode properties = schema.putObject("properties");
        properties.set("a", a.schema());
        properties.set("b", b.schema());
        schema.putArray("required").add("a");
        ObjectNode value = Json.MAPPER.createObjectNode();
        value.set("a", a.value());
        value.set("b", b.value());
        return new Described(schema, value);
    }

    private static Described either(Described a, Described b) {
        ObjectNode schema = Json.MAPPER.createObjectNode();
        schema.putArray("anyOf").add(a.schema()).add(b.schema());
        return new Described(schema, b.value());
    }
}
