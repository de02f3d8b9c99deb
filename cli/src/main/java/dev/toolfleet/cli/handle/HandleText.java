package dev.toolfleet.cli.handle;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.JsonBrief;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import tools.jackson.databind.JsonNode;

/// States of handles for people. Pure.
public final class HandleText {
    private static final String OVERDUE = "overdue";
    private static final int NAMES = 14;
    private static final int WIDEST = 44;
    private static final int WIDEST_NAME = 28;

    private final View view;

    HandleText(View view) {
        this.view = view;
    }

    /// Open handles as a table.
    List<String> table(List<HandleState.Open> states) {
        Grid grid = view.grid("handle", "tool", "instance", "age", "expires in", "heard", "progress");
        for (HandleState.Open state : states) {
            PendingCall call = state.call();
            grid.row(View.cell(call.handle(), WIDEST), View.cell(call.call().name(), WIDEST_NAME),
                    View.cell(call.call().instanceKey(), WIDEST_NAME), view.age(call.createdAt()),
                    view.left(call.deadline(), OVERDUE),
                    state.progress().isPresent() ? view.age(state.heardAt()) + " ago" : "–", how(state));
        }
        return view.lines(grid);
    }

    /// All that is known of one handle.
    List<String> card(HandleState state) {
        View.Card card = view.card(NAMES).line("Handle", View.shown(state.handle()));
        switch (state) {
            case HandleState.Unknown _ -> card.line("State", view.paint(Tone.BAD, "unknown")).line("",
                    "No call is pending under it, and none has ended under it within about a week.");
            case HandleState.Open open -> {
                Instant deadline = open.call().deadline();
                card.line("State", view.paint(Tone.WAITING, "open") + " for " + view.age(open.call().createdAt())
                        + (deadline.isBefore(view.now())
                                ? ", overdue since "
                                : ", expires in " + view.left(deadline, OVERDUE) + ", at ")
                        + View.time(deadline));
                call(card, open.call());
                card.line("Heard", open.progress().map(last -> view.age(last.at()) + " ago: " + text(last.progress()))
                        .orElse("nothing since it began"));
                demands(card, open.call());
            }
            case HandleState.Ended ended -> {
                card.line("State", ended(ended));
                call(card, ended.call());
                ended.result().ifPresentOrElse(result -> result(card, result),
                        () -> card.line("Result", "not on tool.result yet, or no longer there"));
            }
        }
        return card.lines();
    }

    /// Outcome of a call in one line.
    public static String outcome(ToolResult result, int width) {
        ToolError error = result.error();
        if (error != null)
            return TextWidth.cut("error  " + error.code() + ": " + TextWidth.oneLine(error.message()), width);
        return result.output() == null ? "ok" : TextWidth.cut("ok  " + JsonBrief.of(result.output(), width), width);
    }

    /// A call, so that a person knows which.
    public static String call(ToolCall call) {
        return View.shown(call.name() + " (" + call.id() + ", instance " + call.instanceKey() + ")");
    }

    private String ended(HandleState.Ended ended) {
        Optional<ToolResult> result = ended.result();
        String how = result.map(r -> r.error() == null
                ? view.paint(Tone.GOOD, "ended: ok")
                : view.paint(Tone.BAD, "ended: " + r.error().code())).orElse("ended");
        return how + ", " + view.age(ended.endedAt()) + " ago (" + View.time(ended.endedAt()) + ")";
    }

    private void call(View.Card card, PendingCall pending) {
        ToolCall call = pending.call();
        card.line("Tool", View.shown(call.name())).line("Instance", View.shown(call.instanceKey()))
                .line("Call", View.shown(call.id()) + View.named(", agent ", call.agentName())
                        + View.named(", turn ", call.turnId()) + View.named(", step ", call.stepId()))
                .line("Record", "tool.call partition " + pending.partition() + ", offset " + pending.callOffset());
        if (!call.args().isEmpty())
            card.line("Arguments", brief(call.args()));
        if (pending.output() != null)
            card.line("First result", brief(pending.output()));
    }

    private String brief(JsonNode json) {
        return TextWidth.visible(JsonBrief.of(json, view.width() - NAMES));
    }

    private static void demands(View.Card card, PendingCall pending) {
        Duration heartbeat = pending.heartbeatTimeout();
        card.lineIf(pending.kind() == PendingCall.Kind.APPROVAL, "Waits for", "a person's decision").lineIf(
                pending.kind() == PendingCall.Kind.AUTHORIZATION, "Waits for", "a person's authorization").lineIf(
                        pending.kind() == PendingCall.Kind.UNKNOWN, "Waits for",
                        "something that this version does not know");
        if (pending.target() != null)
            card.line("Waits for", View.shown(pending.target()));
        if (heartbeat != null)
            card.line("Heartbeat", "it expires when it is silent for " + DurationText.coarse(heartbeat));
        card.lineIf(pending.tokenHash() != null, "Token", "a completion must carry one");
    }

    private static void result(View.Card card, ToolResult result) {
        ToolError error = result.error();
        if (result.notice() != null)
            card.line("Notice", View.shown(result.notice()));
        if (error == null) {
            card.line("Result", result.output() == null ? "null" : View.shown(result.output().toString()));
            return;
        }
        card.line("Error", View.shown(error.code() + ": " + error.message()));
        if (error.suggestion() != null)
            card.line("Suggestion", View.shown(error.suggestion()));
    }

    private static String how(HandleState.Open state) {
        if (state.call().kind() == PendingCall.Kind.APPROVAL)
            return "waits for a decision";
        if (state.call().kind() == PendingCall.Kind.AUTHORIZATION)
            return "waits for an authorization";
        String target = state.call().target();
        return state.progress().map(ToolProgress::progress).map(HandleText::text)
                .orElseGet(() -> target == null ? "" : "waits for " + TextWidth.oneLine(target));
    }

    private static String text(Progress progress) {
        Double percent = progress.percent();
        String message = progress.message();
        String percentText = percent == null ? "" : Math.round(percent) + " %";
        if (message == null)
            return percentText;
        return (percentText.isEmpty() ? "" : percentText + "  ") + TextWidth.oneLine(message);
    }

    /// Word for a result's status in a sentence.
    static String status(ToolResult result) {
        ToolError error = result.error();
        return error == null ? result.status().name().toLowerCase(Locale.ROOT) : error.code();
    }
}
