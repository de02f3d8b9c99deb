package dev.toolfleet.console.page;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.toolfleet.gateway.calls.CallDecision;
import dev.toolfleet.gateway.calls.CallEvent;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.CallWait;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Timing;
import org.jspecify.annotations.Nullable;

/// Bar of a call's timeline: one stage, and the time that the call spent in it. Pure.
///
/// @param kind class of its style
/// @param x its begin, in percent of the call's time
/// @param width in percent of the call's time
/// @param open true if it has not ended
record StageBar(String name, String kind, Instant from, Instant to, double x, double width, boolean open) {
    private static final double LEAST_WIDTH = 0.6;

    private record Piece(String name, String kind, Instant from, Instant to, boolean open) {}

    /// Returns the bars of a call.
    ///
    /// @param now the end of what has not ended
    static List<StageBar> of(CallView view, CallEvents events, Instant now) {
        Instant begin = view.acceptedAt();
        Instant end = events.events().stream().filter(CallEvent.Result.class::isInstance).map(CallEvent::at)
                .findFirst().orElse(now);
        List<Piece> pieces = new ArrayList<>();
        List<CallEvent.Pending> waits = events.events().stream().filter(CallEvent.Pending.class::isInstance)
                .map(CallEvent.Pending.class::cast).toList();
        Timing timing = view.result() == null ? null : view.result().timing();
        if (waits.isEmpty())
            direct(begin, end, timing, view, pieces);
        else
            waited(begin, end, waits, view, pieces);
        double whole = Math.max(1, Duration.between(begin, end).toMillis());
        return pieces.stream().map(piece -> bar(piece, begin, whole)).toList();
    }

    private static void direct(Instant begin, Instant end, @Nullable Timing timing,
            CallView view, List<Piece> pieces) {
        if (timing == null) {
            pieces.add(new Piece(view.result() == null ? "in its lane, or running" : "whole call", "run", begin, end,
                    view.result() == null));
            return;
        }
        Instant started = begin.plusMillis(timing.queuedMs());
        Instant checked = started.plusMillis(millis(timing.checksMs()));
        Instant admitted = checked.plusMillis(millis(timing.slotMs()));
        Instant written = begin.plusMillis(timing.totalMs());
        Instant ran = earlier(admitted.plusMillis(timing.handlerMs()), written);
        add(pieces, "queued", "idle", begin, started);
        add(pieces, "checks", "check", started, checked);
        if (admitted.isAfter(checked))
            add(pieces, "slot", "ask", checked, admitted);
        add(pieces, view.result() != null && view.result().attempt() > 1
                ? "handler, attempt " + view.result().attempt()
                : "handler", "run", earlier(admitted, ran), ran);
        add(pieces, "guard", "check", ran, written);
        add(pieces, "commit", "idle", written, end);
    }

    private static long millis(@Nullable Long some) {
        return some == null ? 0 : some;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private static void waited(Instant begin, Instant end, List<CallEvent.Pending> waits, CallView view,
            List<Piece> pieces) {
        CallEvent.Pending first = waits.getFirst();
        Timing before = first.result().timing();
        Instant started = before == null ? first.at() : begin.plusMillis(before.queuedMs());
        add(pieces, "queued", "idle", begin, started);
        add(pieces, "checks and handler", "check", started, first.at());
        CallWait wait = view.waitsFor() != null ? view.waitsFor() : first.waitsFor();
        boolean approval = !view.decisions().isEmpty()
                || (wait != null && wait.kind() == PendingCall.Kind.APPROVAL);
        Instant decided = view.decisions().stream().map(CallDecision::at).max(Instant::compareTo).orElse(end);
        boolean open = view.result() == null && view.waitsFor() != null;
        Instant over = approval && !open && decided.isBefore(end) ? decided : end;
        pieces.add(new Piece(approval ? "waits for approval" : "waits for work elsewhere", "ask", first.at(), over,
                open));
        if (over.isBefore(end))
            pieces.add(new Piece("resumed: handler and commit", "run", over, end, view.result() == null));
    }

    private static void add(List<Piece> pieces, String name, String kind, Instant from, Instant to) {
        if (!to.isBefore(from))
            pieces.add(new Piece(name, kind, from, to, false));
    }

    private static StageBar bar(Piece piece, Instant begin, double whole) {
        double x = 100 * Duration.between(begin, piece.from()).toMillis() / whole;
        double width = 100 * Duration.between(piece.from(), piece.to()).toMillis() / whole;
        double shown = Math.min(100, Math.max(LEAST_WIDTH, width));
        return new StageBar(piece.name(), piece.kind(), piece.from(), piece.to(), Math.min(Math.max(0, x), 100 - shown),
                shown, piece.open());
    }

    /// Returns a number of percent for an attribute.
    static String percent(double number) {
        return String.format(Locale.ROOT, "%.2f%%", number);
    }

    /// Returns begin and end; the end of an open bar would change all the time.
    String times() {
        return "from " + SpanText.full(from) + (open ? "" : " to " + SpanText.full(to));
    }

    String took() {
        return SpanText.of(Duration.between(from, to)) + (open ? " so far" : "");
    }
}
