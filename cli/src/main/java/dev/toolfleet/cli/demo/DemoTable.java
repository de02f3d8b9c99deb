package dev.toolfleet.cli.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.table.JsonBrief;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;

/// The demo's table, event by event: a column for when, one for what, one for how it ended, one for how long it took,
/// and the rest of the line for what was said. Pure.
final class DemoTable {
    private static final int AT = 7;
    private static final int WHAT = 19;
    private static final int STATUS = 7;
    private static final int TOOK = 8;
    private static final int GAPS = 8;

    private final Style style;
    private final int width;

    DemoTable(Style style, int width) {
        this.style = style;
        this.width = width;
    }

    /// The head of the table.
    List<String> head() {
        String head = TextWidth.right("at", AT) + "    " + TextWidth.left("tool", WHAT) + " "
                + TextWidth.left("status", STATUS) + " " + TextWidth.right("took", TOOK) + "  arguments and results";
        return List.of(style.paint(Tone.BOLD, head), style.paint(Tone.DIM, "─".repeat(width)));
    }

    /// The lines that an event adds.
    List<String> lines(DemoEvent event) {
        return switch (event) {
            case DemoEvent.StepBegins begins -> List.of("",
                    style.paint(Tone.BOLD, TextWidth.cut("Step " + begins.number() + "  " + begins.thought(), width)));
            case DemoEvent.CatalogShown shown -> List.of(line(shown.at(), style.paint(Tone.DIM, "≡"),
                    style.paint(Tone.DIM, TextWidth.left("catalog", WHAT)), TextWidth.left("", STATUS),
                    DurationText.text(shown.took()),
                    style.paint(Tone.DIM, TextWidth.cut(
                            shown.tools() + " tools, "
                                    + shown.digest().substring(0, Math.min(19, shown.digest().length())) + "…",
                            detailWidth()))));
            case DemoEvent.Called called -> List.of(line(called.at(), style.paint(Tone.NAME, "→"),
                    style.paint(Tone.NAME, TextWidth.left(called.call().name(), WHAT)), TextWidth.left("", STATUS), "",
                    JsonBrief.of(DemoText.arguments(called.call().args()), detailWidth())));
            case DemoEvent.Posted posted -> List.of(line(posted.at(), style.paint(Tone.NAME, "→"),
                    style.paint(Tone.NAME, TextWidth.left("POST …/calls", WHAT)), TextWidth.left("", STATUS), "",
                    TextWidth.cut("Idempotency-Key: " + posted.key() + "  " + posted.call().name() + " "
                            + JsonBrief.of(DemoText.arguments(posted.call().args()), detailWidth()), detailWidth())));
            case DemoEvent.StepGoesOn goesOn -> List.of("",
                    style.paint(Tone.BOLD,
                            TextWidth.cut("Step " + goesOn.number() + " goes on  " + goesOn.what(), width)));
            case DemoEvent.Progressed progressed -> List.of(progressed(progressed));
            case DemoEvent.Answered answered -> answered(answered);
            case DemoEvent.McpListed listed -> List.of(line(listed.at(), style.paint(Tone.DIM, "≡"),
                    style.paint(Tone.DIM, TextWidth.left("tools/list", WHAT)), TextWidth.left("", STATUS),
                    DurationText.text(listed.took()), style.paint(Tone.DIM, TextWidth.cut(
                            listed.tools() + " tools, revision " + listed.revision(), detailWidth()))));
            case DemoEvent.McpCalled called -> List.of(line(called.at(), style.paint(Tone.NAME, "→"),
                    style.paint(Tone.NAME, TextWidth.left("tools/call", WHAT)), TextWidth.left("", STATUS), "",
                    TextWidth.cut(called.tool() + " " + JsonBrief.of(called.args(), detailWidth()), detailWidth())));
            case DemoEvent.McpAnswered(var at, var took, String tool, boolean isError, String text) -> List.of(line(at,
                    style.paint(isError ? Tone.BAD : Tone.GOOD, "←"), TextWidth.left(tool, WHAT),
                    style.paint(isError ? Tone.BAD : Tone.GOOD, TextWidth.left(isError ? "error" : "ok", STATUS)),
                    DurationText.text(took), TextWidth.cut(TextWidth.oneLine(text), detailWidth())));
        };
    }

    private String progressed(DemoEvent.Progressed progressed) {
        Double percent = progressed.progress().progress().percent();
        String message = progressed.progress().progress().message();
        return line(progressed.at(), style.paint(Tone.WAITING, "·"),
                TextWidth.left(progressed.progress().toolName(), WHAT),
                TextWidth.left(percent == null ? "" : Math.round(percent) + " %", STATUS), "",
                message == null ? "" : TextWidth.cut(TextWidth.oneLine(message), detailWidth()));
    }

    private List<String> answered(DemoEvent.Answered answered) {
        ToolResult result = answered.result();
        Tone tone = switch (result.status()) {
            case OK -> Tone.GOOD;
            case ERROR -> Tone.BAD;
            case PENDING, UNKNOWN -> Tone.WAITING;
        };
        List<String> lines = new ArrayList<>();
        ToolError error = result.error();
        String detail = error != null
                ? error.code() + ": " + error.message()
                : result.output() == null ? "" : JsonBrief.of(DemoText.output(result.output()), detailWidth());
        List<String> wrapped = error != null
                ? TextWidth.wrap(TextWidth.oneLine(detail), detailWidth(), 2)
                : List.of(detail);
        lines.add(line(answered.at(), style.paint(tone, "←"), TextWidth.left(result.toolName(), WHAT),
                style.paint(tone, TextWidth.left(result.status().name().toLowerCase(Locale.ROOT), STATUS)),
                DurationText.text(answered.took()), wrapped.getFirst()));
        wrapped.stream().skip(1).forEach(more -> lines.add(indent() + more));
        if (error != null && error.suggestion() != null) {
            TextWidth.wrap("» " + TextWidth.oneLine(error.suggestion()), detailWidth(), 3)
                    .forEach(more -> lines.add(indent() + style.paint(Tone.DIM, more)));
        }
        return lines;
    }

    private String line(Duration at, String arrow, String what, String status, String took, String detail) {
        return (TextWidth.right(String.format(Locale.ROOT, "%.2f s", at.toMillis() / 1000.0), AT) + "  " + arrow + " "
                + what + " " + status + " " + TextWidth.right(took, TOOK) + "  " + detail).stripTrailing();
    }

    private String indent() {
        return " ".repeat(AT + WHAT + STATUS + TOOK + GAPS);
    }

    private int detailWidth() {
        return Math.max(20, width - (AT + WHAT + STATUS + TOOK + GAPS));
    }
}
