package dev.toolfleet.cli.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class DemoTableTest {
    private static final Duration AT = Duration.ofMillis(1234);
    private final DemoTable table = new DemoTable(new Style(false), 100);

    @Test
    void aCallAndItsResultStandUnderEachOther() {
        var call = DemoScenario.steps("/jdk").getFirst().call();

        String called = table.lines(new DemoEvent.Called(AT, call)).getFirst();
        String answered = table.lines(new DemoEvent.Answered(AT, Duration.ofMillis(12),
                result(ResultStatus.OK, Json.MAPPER.readTree("{\"size\":3}"), null))).getFirst();

        assertThat(called).startsWith(" 1.23 s  → file-system__write");
        assertThat(answered).isEqualTo(" 1.23 s  ← bash__exec          ok         12 ms  size=3");
        assertThat(called.indexOf("path=")).isEqualTo(answered.indexOf("size=")).isPositive();
    }

    @Test
    void anErrorShowsItsCodeItsMessageAndWhatToDo() {
        ToolError error = ToolError.of(ErrorCode.E_TOOL_NOT_IN_CATALOG, "The tool is not in the catalog of this step.");

        List<String> lines = table.lines(new DemoEvent.Answered(AT, AT, result(ResultStatus.ERROR, null, error)));

        assertThat(lines.getFirst()).contains("error").contains("E_TOOL_NOT_IN_CATALOG:");
        assertThat(lines).anyMatch(line -> line.contains("» Call only tools"));
    }

    @Test
    void progressStandsWhereStatusAndResultDo() {
        assertThat(table.lines(new DemoEvent.Progressed(AT, progress(40.0, "test"))))
                .containsExactly(" 1.23 s  · build__start        40 %              test");
        assertThat(table.lines(new DemoEvent.Progressed(AT, progress(null, null)))).singleElement().asString()
                .contains("build__start").doesNotContain("null");
    }

    @Test
    void noLineIsWiderThanTheTerminal() {
        List<String> lines = new ArrayList<>(table.head());
        ToolError error = ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "한국어 ".repeat(100) + "x".repeat(300));
        lines.addAll(table.lines(new DemoEvent.Answered(AT, AT, result(ResultStatus.ERROR, null, error))));
        lines.addAll(table.lines(new DemoEvent.StepBegins(1, "y".repeat(300))));
        lines.addAll(table.lines(new DemoEvent.CatalogShown(AT, AT, 6, "sha256:" + "a".repeat(64))));
        lines.addAll(table.lines(new DemoEvent.StepGoesOn(4, "z".repeat(300))));
        lines.addAll(table.lines(new DemoEvent.Progressed(AT, progress(12.345, "w ".repeat(300)))));
        lines.addAll(table.lines(new DemoEvent.McpListed(AT, AT, 14, "2026-07-28")));
        lines.addAll(table.lines(new DemoEvent.McpCalled(AT, "calendar__when", DemoScenario.mcpArguments())));
        lines.addAll(table.lines(new DemoEvent.McpAnswered(AT, AT, "calendar__when", true, "v ".repeat(300))));
        DemoScenario.steps("/a/long/path/to/a/jdk")
                .forEach(step -> lines.addAll(table.lines(new DemoEvent.Called(AT, step.call()))));

        assertThat(lines).allSatisfy(line -> assertThat(TextWidth.of(line)).isLessThanOrEqualTo(100));
    }

    @Test
    void textIsBrokenAtBlanks() {
        assertThat(TextWidth.wrap("one two three four", 9, 3)).containsExactly("one two", "three", "four");
        assertThat(TextWidth.wrap("one two three four five", 9, 2)).containsExactly("one two", "three fo…");
    }

    private static ToolProgress progress(@Nullable Double percent, @Nullable String message) {
        return new ToolProgress("call_4", "build__start", "h-1", "demo", "coder", "t", "s",
                new Progress(percent, message), Instant.EPOCH);
    }

    private static ToolResult result(ResultStatus status, @Nullable JsonNode output, @Nullable ToolError error) {
        return new ToolResult("call_1", "bash__exec", status, output, null, error, "demo", "coder", "t", "s", 1, false,
                null, 0, null, null);
    }
}
