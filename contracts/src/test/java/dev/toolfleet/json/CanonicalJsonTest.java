package dev.toolfleet.json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.DoubleNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// RFC 8785 by its own examples, and the one deviation.
class CanonicalJsonTest {

    /// RFC 8785, appendix B.
    @ParameterizedTest
    @CsvSource({"0000000000000000, 0", "8000000000000000, 0", "0000000000000001, 5e-324", "8000000000000001, -5e-324",
            "7fefffffffffffff, 1.7976931348623157e+308", "ffefffffffffffff, -1.7976931348623157e+308",
            "4340000000000000, 9007199254740992", "c340000000000000, -9007199254740992",
            "4430000000000000, 295147905179352830000", "44b52d02c7e14af5, 9.999999999999997e+22",
            "44b52d02c7e14af6, 1e+23", "44b52d02c7e14af7, 1.0000000000000001e+23",
            "444b1ae4d6e2ef4e, 999999999999999700000", "444b1ae4d6e2ef4f, 999999999999999900000",
            "444b1ae4d6e2ef50, 1e+21", "3eb0c6f7a0b5ed8c, 9.999999999999997e-7", "3eb0c6f7a0b5ed8d, 0.000001",
            "41b3de4355555553, 333333333.3333332", "41b3de4355555554, 333333333.33333325",
            "41b3de4355555555, 333333333.3333333", "41b3de4355555556, 333333333.3333334",
            "41b3de4355555557, 333333333.33333343", "becbf647612f3696, -0.0000033333333333333333",
            "43143ff3c1cb0959, 1424953923781206.2"})
    void doublesReadAsEcmaScriptPrintsThem(String bits, String text) {
        double value = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));

        assertThat(CanonicalJson.of(DoubleNode.valueOf(value))).isEqualTo(text);
    }

    /// Doubles that one digit names, for which Java prints two; facts of ECMAScript.
    @ParameterizedTest
    @CsvSource({"1, 5e-324", "2, 1e-323", "3, 1.5e-323", "4, 2e-323", "6, 3e-323", "10, 5e-323", "20, 1e-322"})
    void theSmallestDoublesHaveTheFewestDigits(long bits, String text) {
        assertThat(EcmaNumbers.text(Double.longBitsToDouble(bits))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void whatIsNoJsonNumberIsRefused(double value) {
        assertThatThrownBy(() -> CanonicalJson.of(DoubleNode.valueOf(value)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(Double.toString(value));
    }

    /// RFC 8785, section 3.2.2.
    @Test
    void theRfcsSampleHasItsOneForm() {
        assertThat(canonical("""
                {
                  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                  "literals": [null, true, false]
                }""")).isEqualTo("{\"literals\":[null,true,false],"
                + "\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    /// RFC 8785, section 3.2.3: by UTF-16 units, so the emoji (a surrogate pair) comes before U+FB33.
    @Test
    void keysAreSortedByUtf16Units() {
        assertThat(canonical("""
                {"\\u20ac": 1, "\\r": 2, "\\ufb33": 3, "1": 4, "\\ud83d\\ude00": 5, "\\u0080": 6, "\\u00f6": 7}"""))
                .isEqualTo("{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}");
    }

    @Test
    void objectsInsideAreSortedToo() {
        assertThat(canonical("{\"b\":[{\"d\":1,\"c\":{}}],\"a\":[ ]}"))
                .isEqualTo("{\"a\":[],\"b\":[{\"c\":{},\"d\":1}]}");
    }

    @ParameterizedTest
    @CsvSource({"9007199254740993, 9007199254740993", "-9007199254740993, -9007199254740993",
            "9223372036854775807, 9223372036854775807", "-9223372036854775808, -9223372036854775808",
            "295147905179352825856, 295147905179352825856", "-0, 0", "1.0, 1", "1e2, 100", "1E21, 1e+21",
            "-0.0, 0", "0.1e1, 1"})
    void wholeNumbersKeepTheirDigitsAndFractionsTheirShortestForm(String read, String written) {
        assertThat(canonical(read)).isEqualTo(written);
    }

    @Test
    void aBrokenSurrogatePairStaysDistinguishable() {
        assertThat(canonical("\"\\ud83d\"")).isEqualTo("\"\\ud83d\"");
        assertThat(canonical("\"\\ude00\\ud83d\"")).isEqualTo("\"\\ude00\\ud83d\"");
    }

    @Test
    void aDigestIsTheSha256OfTheUtf8Bytes() {
        assertThat(Digests.sha256(""))
                .isEqualTo("sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assertThat(Digests.sha256("한")).isEqualTo(Digests.sha256(new byte[]{(byte) 0xed, (byte) 0x95, (byte) 0x9c}));
    }

    private static String canonical(String json) {
        return CanonicalJson.of(Json.MAPPER.readTree(json));
    }
}
