package dev.toolfleet.cli.handle;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.JsonBrief;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// States of handles for people. Pure.
public final class HandleText {
    private static final int NAMES = 14;
    private static final int WIDEST = 44;
    private static final int WIDEST_NAME = 28;

    private final Style style;
    private final int width;
    private final Instant now;

    HandleText(Style style, int width, Instant now) {
        this.style = style;
        this.width = width;
        this.now = now;
    }

    /// Open handles as a table.
    List<String> table(List<HandleState.Open> states) {
        Grid grid = new Grid(width, "handle", "tool", "instance", "age", "expires in", "heard", "progress");
        for (HandleState.Open state : states) {
            PendingCall call = state.call();
            grid.row(cell(call.handle(), WIDEST), cell(call.call().name(), WIDEST_NAME),
                    cell(call.call().instanceKey(), WIDEST_NAME), age(call.createdAt()), left(call.deadline()),
                    state.progress().isPresent() ? age(state.heardAt()) + " ago" : "–", how(state));
        }
        return grid.lines(style);
    }

    /// All that is known of one handle.
    List<String> card(HandleState state) {
        List<String> lines = new ArrayList<>();
        lines.add(line("Handle", shown(state.handle())));
        switch (state) {
            case HandleState.Unknown _ -> {
                lines.add(line("State", style.paint(Tone.BAD, "unknown")));
                lines.add(line("", "No call is pending under it, and none has ended under it within about a week."));
            }
            case HandleState.Open open -> {
                lines.add(line("State", style.paint(Tone.WAITING, "open") + " for " + age(open.call().createdAt())
                        + (open.call().deadline().isBefore(now)
                                ? ", overdue since "
                                : ", expires in "
                                        + left(open.call().deadline()) + ", at ")
                        + time(open.call().deadline())));
                call(lines, open.call());
                lines.add(line("Heard", open.progress()
                        .map(last -> age(last.at()) + " ago: " + text(last.progress()))
                        .orElse("nothing since it began")));
                demands(lines, open.call());
            }
            case HandleState.Ended ended -> {
                lines.add(line("State", ended(ended)));
                call(lines, ended.call());
                ended.result().ifPresentOrElse(result -> result(lines, result), () -> lines.add(line("Result",
                        "not on tool.result yet, or no longer there")));
            }
        }
        return lines;
    }

    /// How a call ended, in one line.
    public static String outcome(ToolResult result, int width) {
        ToolError error = result.error();
        if (error != null)
            return TextWidth.cut("error  " + error.code() + ": " + TextWidth.oneLine(error.message()), width);
        return result.output() == null ? "ok" : TextWidth.cut("ok  " + JsonBrief.of(result.output(), width), width);
    }

    /// A call, so that a person knows which.
    public static String call(ToolCall call) {
        return shown(call.name() + " (" + call.id() + ", instance " + call.instanceKey() + ")");
    }

    private String ended(HandleState.Ended ended) {
        Optional<ToolResult> result = ended.result();
        String how = result.map(r -> r.error() == null
                ? style.paint(Tone.GOOD, "ended: ok")
                : style.paint(Tone.BAD, "ended: " + r.error().code())).orElse("ended");
        return how + ", " + age(ended.endedAt()) + " ago (" + time(ended.endedAt()) + ")";
    }

    private void call(List<String> lines, PendingCall pending) {
        ToolCall call = pending.call();
        lines.add(line("Tool", shown(call.name())));
        lines.add(line("Instance", shown(call.instanceKey())));
        lines.add(line("Call", shown(call.id()) + named(", agent ", call.agentName()) + named(", turn ", call.turnId())
                + named(", step ", call.stepId())));
        lines.add(line("Record", "tool.call partition " + pending.partition() + ", offset " + pending.callOffset()));
        if (!call.args().isEmpty())
            lines.add(line("Arguments", TextWidth.visible(JsonBrief.of(call.args(), width - NAMES))));
        if (pending.output() != null)
            lines.add(line("First result", TextWidth.visible(JsonBrief.of(pending.output(), width - NAMES))));
    }

    private void demands(List<String> lines, PendingCall pending) {
        Duration heartbeat = pending.heartbeatTimeout();
        if (pending.kind() == PendingCall.Kind.APPROVAL)
            lines.add(line("Waits for", "a person's decision"));
        if (pending.kind() == PendingCall.Kind.UNKNOWN)
            lines.add(line("Waits for", "something that this version does not know"));
        if (heartbeat != null)
            lines.add(line("Heartbeat", "it expires when it is silent for " + DurationText.coarse(heartbeat)));
        if (pending.tokenHash() != null)
            lines.add(line("Token", "a completion must carry one"));
    }

    private void result(List<String> lines, ToolResult result) {
        ToolError error = result.error();
        if (error == null) {
            lines.add(line("Result", result.output() == null ? "null" : shown(result.output().toString())));
            return;
        }
        lines.add(line("Error", shown(error.code() + ": " + error.message())));
        if (error.suggestion() != null)
            lines.add(line("Suggestion", shown(error.suggestion())));
    }

    private static String how(HandleState.Open state) {
        if (state.call().kind() == PendingCall.Kind.APPROVAL)
            return "waits for a decision";
        return state.progress().map(ToolProgress::progress).map(HandleText::text).orElse("");
    }

    private static String text(Progress progress) {
        Double percent = progress.percent();
        String message = progress.message();
        String percentText = percent == null ? "" : Math.round(percent) + " %";
        if (message == null)
            return percentText;
        return (percentText.isEmpty() ? "" : percentText + "  ") + TextWidth.oneLine(message);
    }

    private static String shown(String text) {
        return TextWidth.visible(TextWidth.oneLine(text));
    }

    private static String cell(String text, int widest) {
        return TextWidth.cut(TextWidth.oneLine(text), widest);
    }

    private String age(Instant then) {
        return DurationText.coarse(Duration.between(then, now));
    }

    private String left(Instant deadline) {
        return deadline.isBefore(now) ? "overdue" : DurationText.coarse(Duration.between(now, deadline));
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String named(String what, @Nullable String name) {
        return name == null ? "" : what + shown(name);
    }

    private String line(String name, String text) {
        return (style.paint(Tone.DIM, TextWidth.left(name, NAMES)) + text).stripTrailing();
    }

    /// How a state is called in a sentence.
    static String status(ToolResult result) {
        ToolError error = result.error();
        return error == null ? result.status().name().toLowerCase(Locale.ROOT) : error.code();
    }
}
