package dev.toolfleet.worker.tools.jsonquery;

import dev.toolfleet.worker.runtime.builtin.DeclaredTool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class JsonQueryModuleTest {
    private final DeclaredTool json = new DeclaredTool("json-query", new JsonQueryModule());

    @Test
    void queryTellsAbsentFromNull() throws Exception {
        assertThat(result("query", "{'data': '{\\\"a\\\": null}', 'path': 'a'}"))
                .isEqualTo("{\"path\":\"a\",\"found\":true,\"value\":null}");
        assertThat(result("query", "{'data': '{\\\"a\\\": null}', 'path': 'b'}"))
                .isEqualTo("{\"path\":\"b\",\"found\":false,\"value\":null}");
        assertThat(result("query", "{'data': '[1]'}")).isEqualTo("{\"path\":\".\",\"found\":true,\"value\":[1]}");
    }

    @Test
    void numbersKeepTheirDigits() throws Exception {
        assertThat(result("query", "{'data': '[12345678901234567890123, 0.12345678901234567890123, 1e400]'}"))
                .contains("[12345678901234567890123,0.12345678901234567890123,1E+400]");
    }

    @Test
    void pickKeepsTheNamedKeysThatAreThere() throws Exception {
        assertThat(
                result("pick", "{'data': '{\\\"a\\\": 1, \\\"b\\\": {}, \\\"c\\\": null}', 'keys': ['c', 'x', 'a']}"))
                .isEqualTo("{\"keys\":[\"c\",\"x\",\"a\"],\"result\":{\"c\":null,\"a\":1}}");
        assertThat(json.failure("pick", "{'data': '[]', 'keys': []}"))
                .hasMessage("Input data must be a JSON object for pick operation");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"[1, [2, 3]] | 2 | array", "{\"a\": 1, \"b\": 2} | 2 | object",
            "\"a\ud83d\ude00\" | 2 | string", "7.5 | 1 | number", "false | 1 | boolean", "null | 0 | null"})
    void countSaysHowManyOfWhat(String data, int count, String type) throws Exception {
        String argument = data.replace("\"", "\\\"");
        assertThat(result("count", "{\"data\": \"" + argument + "\"}"))
                .isEqualTo("{\"path\":\".\",\"count\":" + count + ",\"type\":\"" + type + "\"}");
    }

    @Test
    void nothingCountsNothing() throws Exception {
        assertThat(result("count", "{'data': '{}', 'path': 'x'}"))
                .isEqualTo("{\"path\":\"x\",\"count\":0,\"type\":\"null\"}");
    }

    @Test
    void flattenTakesAsManyLevelsApartAsAsked() throws Exception {
        String data = "'data': '[1, [2, [3, [4]]], []]'";
        assertThat(result("flatten", "{" + data + "}"))
                .isEqualTo("{\"depth\":1,\"count\":3,\"result\":[1,2,[3,[4]]]}");
        assertThat(result("flatten", "{" + data + ", 'depth': 0}")).contains("[1,[2,[3,[4]]],[]]");
        assertThat(result("flatten", "{" + data + ", 'depth': 1000000}")).contains("[1,2,3,4]");
        assertThat(json.failure("flatten", "{'data': '{}'}"))
                .hasMessage("Input data must be a JSON array for flatten operation");
    }

    @Test
    void whatIsNotJsonIsRefusedAndSaysWhere() throws Exception {
        for (String data : new String[]{"{a: 1}", "[1", "{} x", " ", "[".repeat(1000)})
            assertThat(json.failure("query", "{'data': '" + data + "'}")).as(data)
                    .hasMessageStartingWith("Failed to parse input as JSON")
                    .satisfies(e -> assertThat(e.code()).isEqualTo("E_TOOL_INVALID_ARGS"));
        assertThat(json.failure("query", "{'data': '{a: 1}'}")).hasMessageContaining("line 1, column");
        assertThat(json.failure("query", "{}")).hasMessage("'data' must be a non-empty string");
    }

    private String result(String export, String input) throws Exception {
        return json.call(export, input).toString();
    }
}
