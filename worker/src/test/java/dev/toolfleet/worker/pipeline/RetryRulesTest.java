package dev.toolfleet.worker.pipeline;

import java.time.Duration;

import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.limit.BreakerSignal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class RetryRulesTest {
    private static final Duration AGES = Duration.ofHours(1);
    private static final ToolReply OK = new ToolReply.Ok(NullNode.instance);

    @ParameterizedTest
    @CsvSource({"E_TOOL, FAILED", "E_UPSTREAM_503, FAILED", "E_TOOL_RESULT_INVALID, FAILED", "E_TOOL_TIMEOUT, FAILED",
            "E_TOOL_INVALID_ARGS, UNCOUNTED", "E_TOOL_CANCELLED, UNCOUNTED", "E_TOOL_DENIED, UNCOUNTED",
            "E_TOOL_OUTCOME_UNKNOWN, UNCOUNTED", "E_CITY_UNKNOWN, UNCOUNTED"})
    void theStatusOfTheReplyCountsAndNotWhatWasThrown(String code, BreakerSignal ending) {
        ToolExport export = export("{\"limits\": {\"circuitBreaker\": {\"ignore\": [\"E_CITY_UNKNOWN\"]}}}");

        assertThat(RetryRules.of(failed(code), export, false)).isEqualTo(ending);
        assertThat(RetryRules.of(OK, export, false)).isEqualTo(BreakerSignal.SUCCEEDED);
    }

    @Test
    void aDeadlineOfTheCallersSaysNothingOfTheTool() {
        assertThat(RetryRules.of(failed("E_TOOL_TIMEOUT"), export("{}"), true)).isEqualTo(BreakerSignal.UNCOUNTED);
    }

    @Test
    void onlyWhatMayRunTwiceIsStartedAgain() {
        assertThat(again("{\"retry\": {}}", "E_TOOL", 1)).isFalse();
        assertThat(again("{\"retry\": {}, \"annotations\": {\"idempotent\": true}}", "E_TOOL", 1)).isTrue();
        assertThat(again("{\"retry\": {}, \"annotations\": {\"readOnly\": true}}", "E_TOOL", 1)).isTrue();
        assertThat(again("{\"annotations\": {\"readOnly\": true}}", "E_TOOL", 1)).as("nothing declared").isFalse();
    }

    @ParameterizedTest
    @CsvSource({"E_TOOL, true", "E_UPSTREAM_503, true", "E_TOOL_INVALID_ARGS, false", "E_TOOL_CANCELLED, false",
            "E_TOOL_TIMEOUT, false", "E_TOOL_RESULT_TOO_LARGE, false"})
    void whateverTheToolFailsWithIsTriedAgainUnlessItCannotHelp(String code, boolean again) {
        assertThat(again("{\"retry\": {}, \"annotations\": {\"readOnly\": true}}", code, 1)).isEqualTo(again);
    }

    @Test
    void theCodesThatAreNamedAreTriedAgainAndNoOthers() {
        String export = "{\"retry\": {\"retryOn\": [\"E_BUSY\"]}, \"annotations\": {\"readOnly\": true}}";

        assertThat(again(export, "E_BUSY", 1)).isTrue();
        assertThat(again(export, "E_TOOL", 1)).isFalse();
    }

    @Test
    void attemptsAndTheDeadlineBoundThem() {
        String export = "{\"retry\": {\"maxAttempts\": 3, \"backoff\": \"10s\"}, \"annotations\": {\"readOnly\": true}}";

        assertThat(again(export, "E_TOOL", 2)).isTrue();
        assertThat(again(export, "E_TOOL", 3)).isFalse();
        assertThat(RetryRules.again(failed("E_TOOL"), export(export), 1, Duration.ofSeconds(5), 0)).isEmpty();
        assertThat(RetryRules.again(failed("E_TOOL"), export(export), 1, Duration.ofSeconds(6), 0))
                .contains(Duration.ofSeconds(5));
        assertThat(RetryRules.again(OK, export(export), 1, AGES, 0)).isEmpty();
    }

    private static boolean again(String export, String code, int starts) {
        return RetryRules.again(failed(code), export(export), starts, AGES, 0.5).isPresent();
    }

    private static ToolReply failed(String code) {
        return new ToolReply.Failed(new ToolError(code, "X", "message", "suggestion", null));
    }

    private static ToolExport export(String json) {
        ObjectNode tool = TestResources.tool("t", RetryRulesTest.class, "run");
        TestResources.export(tool, "run").setAll((ObjectNode) Json.MAPPER.readTree(json));
        return ToolSpec.of(tool).exports().getFirst();
    }
}
