package dev.toolfleet.json;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.BigRange;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class CanonicalJsonPropertyTest {

    @Property(seed = "8785")
    void orderAndWhiteSpaceDoNotMatter(@ForAll("values") JsonNode value, @ForAll Random random) {
        byte[] spaced = Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(shuffled(value, random));

        assertThat(CanonicalJson.of(Json.MAPPER.readTree(spaced))).isEqualTo(CanonicalJson.of(value));
    }

    @Property(seed = "8786")
    void theCanonicalTextReadsBackToTheSameCanonicalText(@ForAll("values") JsonNode value) {
        String once = CanonicalJson.of(value);

        assertThat(CanonicalJson.of(Json.MAPPER.readTree(once))).isEqualTo(once);
    }

    /// Any UTF-16, halves of pairs among it: Java's own encoder agrees on the bytes, and no other text reads back the
    /// same.
    @Property(seed = "8790")
    void everyTextIsItsUtf8(@ForAll("texts") String text) {
        CanonicalText written = new CanonicalText(0).string(text);

        String read = written.toString();
        assertThat(Json.MAPPER.readTree(read).stringValue()).isEqualTo(text);
        assertThat(written.sha256()).isEqualTo(Digests.sha256(read));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.chars().list().ofMaxSize(40).map(chars -> chars.stream().map(String::valueOf)
                .collect(Collectors.joining()));
    }

    @Property(seed = "8787")
    void differentIntegersBeyondTwoTo53StayDifferent(
            @ForAll @BigRange(min = "9007199254740992", max = "1000000000000000000000000") BigInteger first,
            @ForAll @BigRange(min = "1", max = "1000") BigInteger step) {
        assertThat(canonical(first)).isNotEqualTo(canonical(first.add(step)));
        assertThat(canonical(first.negate())).isNotEqualTo(canonical(first));
    }

    @Property(seed = "8788")
    void everyDoubleReadsBackToItself(@ForAll long bits) {
        double value = Double.longBitsToDouble(bits);
        Assume.that(Double.isFinite(value));

        assertThat(Double.parseDouble(EcmaNumbers.text(value))).isEqualTo(value == 0 ? 0.0 : value);
    }

    @Property(seed = "8789")
    void everySubnormalReadsBackToItself(@ForAll short low) {
        double value = Double.longBitsToDouble(Short.toUnsignedLong(low));

        assertThat(Double.parseDouble(EcmaNumbers.text(value))).isEqualTo(value);
    }

    @Provide
    Arbitrary<JsonNode> values() {
        return JsonTrees.values();
    }

    private static String canonical(BigInteger value) {
        return CanonicalJson.of(JsonNodeFactory.instance.numberNode(value));
    }

    private static JsonNode shuffled(JsonNode node, Random random) {
        if (node.isArray()) {
            var array = JsonNodeFactory.instance.arrayNode();
            node.forEach(item -> array.add(shuffled(item, random)));
            return array;
        }
        if (!node.isObject())
            return node;
        List<Map.Entry<String, JsonNode>> fields = new ArrayList<>(node.properties());
        Collections.shuffle(fields, random);
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        fields.forEach(field -> object.set(field.getKey(), shuffled(field.getValue(), random)));
        return object;
    }
}
