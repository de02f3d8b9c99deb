package dev.toolfleet.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Set;

import dev.toolfleet.bundle.ToolExport.ExportExecution;
import dev.toolfleet.docs.Docs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ToolLimitsTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Test
    void limitsAreReadAsTheyAreWritten() {
        ToolLimits limits = execution("""
                {"limits": {"maxConcurrent": {"perCore": 4}, "ratePerSecond": 2.5, "holdWhilePending": true,
                 "circuitBreaker": {"failureRate": 80, "window": 5, "openFor": "1m", "ignore": ["E_NOT_THERE"]}}}""")
                .limits();

        assertThat(limits.maxConcurrent()).contains(new Concurrency.PerCore(4));
        assertThat(limits.ratePerSecond()).hasValue(2.5);
        assertThat(limits.holdWhilePending()).isTrue();
        assertThat(limits.circuitBreaker())
                .contains(new BreakerSpec(80, 5, Duration.ofMinutes(1), Set.of("E_NOT_THERE")));
    }

    @Test
    void aBreakerIsSwitchedOnWithItsDefaults() {
        assertThat(execution("{\"limits\": {\"circuitBreaker\": true}}").limits().circuitBreaker())
                .contains(BreakerSpec.DEFAULT);
        assertThat(execution("{\"limits\": {\"circuitBreaker\": {}}}").limits().circuitBreaker())
                .contains(BreakerSpec.DEFAULT);
        assertThat(execution("{\"limits\": {\"circuitBreaker\": false}}").limits().circuitBreaker()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"4, 2, 8", "4, 64, 256", "0.5, 4, 2", "0.1, 1, 1"})
    void concurrencyGrowsWithTheProcessors(double perCore, int cores, int calls) {
        assertThat(new Concurrency.PerCore(perCore).on(cores)).isEqualTo(calls);
        assertThat(new Concurrency.Fixed(3).on(cores)).isEqualTo(3);
    }

    @Test
    void theWaitBeforeARetryDoublesUpToAMinute() {
        RetrySpec retry = new RetrySpec(10, Duration.ofSeconds(2), Set.of());

        assertThat(retry.before(1, 0)).isEqualTo(Duration.ofSeconds(1));
        assertThat(retry.before(1, 0.999)).isBetween(Duration.ofMillis(1_990), Duration.ofSeconds(2));
        assertThat(retry.before(3, 0)).isEqualTo(Duration.ofSeconds(4));
        assertThat(retry.before(99, 0.999)).isBetween(Duration.ofSeconds(59), RetrySpec.LONGEST);
    }

    @Test
    void theSchemaKnowsTheMostStartsAndTheLongestWait() throws IOException {
        try (InputStream schema = getClass().getResourceAsStream("schemas/Tool.schema.json")) {
            JsonNode retry = JsonMapper.shared().readTree(schema).findValue("retry").path("properties");
            assertThat(retry.path("maxAttempts").path("maximum").asInt()).isEqualTo(RetrySpec.MOST_ATTEMPTS);
            assertThat(retry.path("backoff").path("description").asString())
                    .contains("at most " + RetrySpec.LONGEST.toSeconds() + " s");
        }
    }

    @Test
    void theDefaultsOfARetryAreDocumented() {
        assertThat(Docs.lines("tools.md")).filteredOn(line -> line.startsWith("`retry: {")).singleElement()
                .asString().contains("(" + RetrySpec.DEFAULT_ATTEMPTS + " by default)")
                .contains("(" + RetrySpec.DEFAULT_BACKOFF.toMillis() + " ms)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"limits\": {\"maxConcurrent\": 0}}",
            "{\"limits\": {\"maxConcurrent\": {\"perCore\": -1}}}",
            "{\"limits\": {\"ratePerSecond\": 0}}", "{\"limits\": {\"circuitBreaker\": {\"failureRate\": 0}}}",
            "{\"limits\": {\"circuitBreaker\": \"on\"}}", "{\"retry\": {\"maxAttempts\": 101}}",
            "{\"retry\": {\"backoff\": \"2m\"}}"})
    void whatIsOutOfRangeIsRefusedWithItsPlace(String export) {
        assertThatThrownBy(() -> execution(export)).isInstanceOf(InvalidResourceException.class)
                .hasMessageContaining("Tool/x: spec.exports[0].");
    }

    private static ExportExecution execution(String export) {
        ObjectNode tool = (ObjectNode) JSON.readTree("{\"kind\": \"Tool\", \"metadata\": {\"name\": \"x\"}}");
        ObjectNode spec = tool.putObject("spec").put("entry", "builtin:x");
        spec.putArray("exports").add(((ObjectNode) JSON.readTree(export)).put("name", "y"));
        return ToolSpec.of(tool).exports().getFirst().execution();
    }
}
