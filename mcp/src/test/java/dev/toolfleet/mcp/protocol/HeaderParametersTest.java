package dev.toolfleet.mcp.protocol;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HeaderParametersTest {
    private static JsonNode json(String text) {
        return JsonMapper.builder().build().readTree(text.replace('\'', '"'));
    }

    @Test
    void argumentsAtAnyDepthAreRepeated() {
        HeaderParameters parameters = HeaderParameters.of(json("{'properties': {'a': {'type': 'string', "
                + "'x-mcp-header': 'A'}, 'b': {'properties': {'c': {'type': 'integer', 'x-mcp-header': 'C'}}}}}"));

        assertThat(parameters.headers(json("{'a': 'x', 'b': {'c': 3}}")))
                .isEqualTo(Map.of("Mcp-Param-A", "x", "Mcp-Param-C", "3"));
        assertThat(parameters.headers(json("{'a': null}"))).isEmpty();
    }

    @Test
    void anArgumentMayHaveTheNameOfTheKeyword() {
        assertThat(HeaderParameters.of(json("{'properties': {'x-mcp-header': {'type': 'string'}}}")))
                .isEqualTo(HeaderParameters.NONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{'type': 'number', 'x-mcp-header': 'A'} | no string, integer or boolean",
            "{'type': 'string', 'x-mcp-header': 'A B'} | no header name",
            "{'type': 'string', 'x-mcp-header': 5} | no header name",
            "{'items': {'type': 'string', 'x-mcp-header': 'A'}} | not reached by properties alone",
            "{'type': 'integer', 'maximum': 9007199254740992, 'x-mcp-header': 'A'} | beyond the range",
            "{'properties': {'p': {'type': 'string', 'x-mcp-header': 'A'}, 'q': {'type': 'string', "
                    + "'x-mcp-header': 'a'}}} | two parameters have the header"})
    void aDeclarationThatBreaksARuleIsRefused(String parameter, String reason) {
        assertThatThrownBy(() -> HeaderParameters.of(json("{'properties': {'a': " + parameter + "}}")))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(reason);
    }

    @Test
    void headersAreComparedWithArguments() {
        HeaderParameters parameters = HeaderParameters
                .of(json("{'properties': {'n': {'type': 'integer', 'x-mcp-header': 'N'}}}"));

        assertThat(parameters.mismatch(header -> "3.0", json("{'n': 3}"))).isNull();
        assertThat(parameters.mismatch(header -> null, json("{}"))).isNull();
        assertThat(parameters.mismatch(header -> "4", json("{'n': 3}"))).endsWith("does not match the body");
        assertThat(parameters.mismatch(header -> "4", json("{}"))).endsWith("does not match the body");
        assertThat(parameters.mismatch(header -> null, json("{'n': 3}"))).contains("is missing");
        assertThat(parameters.mismatch(header -> "=?base64?#?=", json("{'n': 3}"))).endsWith("is malformed");
    }
}
