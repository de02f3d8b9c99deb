package dev.toolfleet.worker.guard;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

class FleetGuardPropertyTest {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Guards GUARDS = new Guards();
    private static final String CARD = "4111 1111 1111 1111";

    @Provide
    Arbitrary<JsonNode> trees() {
        return tree();
    }

    private static Arbitrary<String> texts() {
        return Arbitraries.oneOf(Arbitraries.strings().ofMaxLength(40),
                Arbitraries.of(CARD, "4111<b>1111</b>11111111", Guards.TOKEN, "a \"quoted\\\" text", "\u001b[1mx",
                        "😀\ud83d",
                        "110-123-456789", "", "<p>x</p>", "\u0000\u2028"),
                Arbitraries.strings().withChars("0123456789-. 😀\n\"\\").ofMaxLength(60));
    }

    private static Arbitrary<JsonNode> tree() {
        Arbitrary<JsonNode> leaf = Arbitraries.oneOf(texts().map(NODES::stringNode),
                Arbitraries.longs().map(NODES::numberNode), Arbitraries.bigDecimals().map(NODES::numberNode),
                Arbitraries.doubles().map(NODES::numberNode), Arbitraries.of(true, false).map(NODES::booleanNode),
                Arbitraries.just(NODES.nullNode()));
        return Arbitraries.recursive(() -> leaf, inner -> Arbitraries.oneOf(
                inner.list().ofMaxSize(4).map(items -> (JsonNode) NODES.arrayNode().addAll(items)),
                Arbitraries
                        .maps(Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(3).map(key -> "q" + key), inner)
                        .ofMaxSize(4).map(FleetGuardPropertyTest::object)),
                0, 3);
    }

    private static JsonNode object(Map<String, JsonNode> fields) {
        return NODES.objectNode().setAll(fields);
    }

    @Property(tries = 400, seed = "7")
    void jsonStaysJsonWithItsStructureItsNamesAndItsNumbers(@ForAll("trees") JsonNode tree) {
        String before = tree.toString();

        ToolReply.Ok guarded = (ToolReply.Ok) GUARDS.guard("web__get", new ToolReply.Ok(tree)).reply();

        assertThat(tree).as("not changed in place").hasToString(before);
        if (tree.isNull())
            return;
        JsonNode read = Json.MAPPER.readTree(Json.MAPPER.writeValueAsBytes(guarded.output()));
        same(tree, guarded.output());
        same(read, Json.MAPPER.readTree(guarded.output().toString()));
        assertThat(read.toString()).doesNotContain(CARD, "\u001b");
    }

    private static void same(JsonNode before, JsonNode after) {
        assertThat(after.getNodeType()).isEqualTo(before.getNodeType());
        if (before.isObject()) {
            assertThat(after.propertyNames()).containsExactlyElementsOf(before.propertyNames());
            before.propertyNames().forEach(name -> same(before.path(name), after.path(name)));
        } else if (before.isArray()) {
            assertThat(after.size()).isEqualTo(before.size());
            for (int i = 0; i < before.size(); i++)
                same(before.path(i), after.path(i));
        } else if (!before.isString()) {
            assertThat(after).isEqualTo(before);
        }
    }

    @Property(tries = 400, seed = "7")
    void sizesAreThoseOfTheJson(@ForAll("trees") JsonNode tree) {
        String json = tree.toString();

        assertThat(JsonSize.of(tree)).isEqualTo(json.length());
        if (json.equals(ControlCharacters.paired(json)))
            assertThat(JsonSize.of(tree) + JsonSize.moreBytes(tree))
                    .isEqualTo(json.getBytes(StandardCharsets.UTF_8).length);
    }

    @Property(tries = 400, seed = "7")
    void whateverIsCutFitsAndIsJson(@ForAll("trees") JsonNode tree, @ForAll @IntRange(min = 32, max = 400) int limit,
            @ForAll @IntRange(min = 32, max = 400) int bytes) {
        JsonNode paired = GUARDS.output("disk__read", tree.isNull() ? NODES.arrayNode() : tree);

        JsonNode fitted = Truncation.fit(paired, limit, Math.max(96, bytes));

        byte[] json = Json.MAPPER.writeValueAsBytes(fitted);
        assertThat(fitted.toString().length()).isLessThanOrEqualTo(limit);
        assertThat(json.length).isLessThanOrEqualTo(Math.max(96, bytes));
        assertThat(Json.MAPPER.readTree(json)).isEqualTo(Json.MAPPER.readTree(fitted.toString()));
    }

    @Property(tries = 400, seed = "7")
    void cuttingLeavesNoHalfASecretAndNoHalfAPair(@ForAll @IntRange(max = 400) int before,
            @ForAll @IntRange(min = 32, max = 300) int limit) {
        Guards guards = new Guards("{\"maxContentLength\": " + limit + "}");
        String smiles = "😀".repeat(before / 2) + "x".repeat(before % 3);

        String guarded = guards.text(smiles + " " + CARD + " " + Guards.TOKEN + " AKIAIOSFODNN7EXAMPLE " + smiles);

        assertThat(guarded).doesNotContain("4111", "1111", "Zq7+", "hunter", "AKIA", "EXAMPLE");
        assertThat(ControlCharacters.paired(guarded)).isSameAs(guarded);
    }

    @Property(tries = 300, seed = "7")
    void whatWasGuardedPassesUnchanged(@ForAll("trees") JsonNode tree) {
        JsonNode once = GUARDS.output("web__get", tree);

        assertThat(GUARDS.output("web__get", once)).isSameAs(once);
    }

    @Property(tries = 200, seed = "7")
    void cardsAreFoundInAnyText(@ForAll("words") String before, @ForAll("words") String after) {
        assertThat(GUARDS.text(before + " " + CARD + " " + after)).doesNotContain(CARD);
    }

    @Provide
    Arbitrary<String> words() {
        return Combinators.combine(Arbitraries.strings().alpha().ofMaxLength(10), texts()).as((a, b) -> b + a);
    }
}
