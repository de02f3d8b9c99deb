package dev.toolfleet.json;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Arbitrary JSON, as a reader would produce it.
public final class JsonTrees {
    private JsonTrees() {}

    /// Any value, nested three levels at most.
    public static Arbitrary<JsonNode> values() {
        return values(3).map(JsonTrees::parsed);
    }

    /// Any object.
    public static Arbitrary<ObjectNode> objects() {
        return Arbitraries.maps(names(), values(2)).ofMaxSize(6).map(map -> (ObjectNode) parsed(map));
    }

    /// Any Unicode text, broken surrogate pairs included.
    public static Arbitrary<String> texts() {
        return Arbitraries.oneOf(Arbitraries.strings().ofMaxLength(8),
                Arbitraries.strings().ascii().ofMaxLength(12),
                Arbitraries.of("", "é", "한글", "😀", "\ud83d", "\ude00", "\u2028", "\"\\/\b\f\n\r\t\u0000"));
    }

    /// Any text that a name may have: the reader rejects broken pairs there.
    private static Arbitrary<String> names() {
        return texts().filter(text -> StandardCharsets.UTF_16BE.newEncoder().canEncode(text));
    }

    private static JsonNode parsed(Object value) {
        return Json.MAPPER.readTree(Json.MAPPER.writeValueAsBytes(value));
    }

    private static Arbitrary<Object> values(int depth) {
        Arbitrary<Object> leaf = Arbitraries.oneOf(texts().map(Object.class::cast),
                Arbitraries.longs().map(Object.class::cast), Arbitraries.bigIntegers().map(Object.class::cast),
                Arbitraries.doubles().map(Object.class::cast), Arbitraries.of(true, false).map(Object.class::cast),
                Arbitraries.just(Json.MAPPER.nullNode()).map(Object.class::cast));
        if (depth == 0)
            return leaf;
        Arbitrary<Object> inner = Arbitraries.lazy(() -> values(depth - 1));
        Arbitrary<List<Object>> lists = inner.list().ofMaxSize(3);
        Arbitrary<Map<String, Object>> maps = Arbitraries.maps(names(), inner).ofMaxSize(3);
        return Arbitraries.oneOf(leaf, lists.map(Object.class::cast), maps.map(Object.class::cast));
    }
}
