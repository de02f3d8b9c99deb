package dev.toolfleet.catalog.topology;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ResultPeekTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', nullValues = "-", value = {
            "{'toolCallId':'c','toolName':'a__b','output':{|a__b", "{'output':{'toolName':'x'},'toolName':'a__b'}|a__b",
            "{'output':{'toolName':'x'}}|-", "{'toolName':5}|-", "[]|-", "no json|-", "{'toolName'|-", "{|-"})
    void theNameIsFoundAtTheTopLevelWithoutReadingOn(String json, String name) {
        assertThat(ResultPeek.toolName(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8))).isEqualTo(name);
    }
}
