package dev.toolfleet.bench.command;

import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.verdict.CrashReport;
import dev.toolfleet.bench.verdict.Promise;
import dev.toolfleet.bench.verdict.Stall;
import dev.toolfleet.bench.verdict.Violation;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.Style.Tone;

/// The report of `bench crash` as a table, and the broken promises one by one. Pure.
final class CrashTable {
    /// Number of violations that are shown of each promise; the JSON has all.
    private static final int SHOWN = 10;

    private final Style style;
    private final int width;

    CrashTable(Style style, int width) {
        this.style = style;
        this.width = width;
    }

    List<String> lines(CrashReport report) {
        List<String> lines = new ArrayList<>(table(report).lines(style));
        lines.add("");
        lines.addAll(stalls(report).lines(style));
        for (Promise promise : Promise.values()) {
            List<Violation> broken = report.violations().stream().filter(each -> each.promise() == promise).toList();
            if (broken.isEmpty())
                continue;
            lines.add("");
            lines.add(style.paint(Tone.BAD, promise.broken() + ": " + broken.size()));
            broken.stream().limit(SHOWN).forEach(each -> lines.add("  " + each.subject() + ": " + each.what()));
            if (broken.size() > SHOWN)
                lines.add("  and " + (broken.size() - SHOWN) + " more; --json FILE has all");
        }
        lines.add("");
        lines.add(report.kept()
                ? style.paint(Tone.GOOD, "Every promise was kept.")
                : style.paint(Tone.BAD, "Promises were broken."));
        return lines;
    }

    private Grid table(CrashReport report) {
        CrashReport.Counts counts = report.counts();
        Grid grid = new Grid(width, "what", "count", "");
        int more = counts.records() - counts.calls();
        grid.row("calls", number(counts.calls()), report.clients().isPresent()
                ? more + " more records of requests that were sent again"
                : more + " of them written twice on purpose");
        report.clients().ifPresent(clients -> clients(grid, report, clients));
        grid.row("pending results", number(counts.pending()), "of calls that are completed or decided outside");
        grid.row("final results", number(counts.results()), "and " + counts.replayed() + " replayed results");
        if (report.messages() > 0) {
            grid.row("messages of results", number(report.messages()), "in sessions");
            broken(grid, report, Promise.ONE_MESSAGE, "no message, two, or one of no result");
            broken(grid, report, Promise.MESSAGE_ORDER, "messages in another order than the results");
        }
        if (counts.lost() > 0)
            grid.row("lost calls", number(counts.lost()), "unread or unfinished when their topic was deleted");
        broken(grid, report, Promise.ONE_RESULT, "second final results that are not replayed");
        broken(grid, report, Promise.ANSWERED, "records of calls without their result");
        broken(grid, report, Promise.ORDER, "overlaps, starts and results out of order");
        broken(grid, report, Promise.ONCE, "calls that must not run twice, and did");
        broken(grid, report, Promise.REPLAYS, "replays of something else, or pending behind the end");
        broken(grid, report, Promise.CONTENT, "answers that are cut, another call's, or missed the middleware");
        broken(grid, report, Promise.APPROVED, "calls that ran before their approval, or without one");
        report.guarded().ifPresent(guarded -> {
            grid.row("calls that send", number(guarded.sending()),
                    guarded.after() + " of them written after results with both labels");
            broken(grid, report, Promise.GUARDED, "calls of these that started before approval, or without");
        });
        report.effectsPerCall().forEach((kind, calls) -> grid.row("effects, " + name(kind),
                number(calls.entrySet().stream().mapToLong(entry -> entry.getKey() * entry.getValue()).sum()),
                perCall(calls)));
        grid.row("unknown outcomes", number(report.unknown().size()),
                report.unknown().size() - report.broken(Promise.KNOWN) + " of them proven by a fault");
        grid.row("other errors", number(report.broken(Promise.NO_ERRORS)), "");
        grid.row("workers that collapsed", number(report.broken(Promise.WORKERS_LIVE)), "");
        takeOvers(grid, "take-overs of a partition", report.takeOvers());
        takeOvers(grid, "take-overs by a ready worker", report.warmTakeOvers());
        grid.row("faults", number(report.faults().size()), faults(report.faults()));
        return grid;
    }

    private static void clients(Grid grid, CrashReport report, CrashReport.Clients clients) {
        grid.row("clients over HTTP", number(clients.count()), clients.answered() + " got their final result, with "
                + clients.requests() + " requests");
        broken(grid, report, Promise.CLIENTS_ANSWERED, "a gateway refused the call, or none had its result in time");
        broken(grid, report, Promise.CLIENTS_AGREE, "their answer is not the one on tool.result");
    }

    private static void takeOvers(Grid grid, String whose, CrashReport.TakeOvers times) {
        grid.row(whose, number(times.count()),
                "half within " + DurationText.text(times.median()) + ", nine of ten within "
                        + DurationText.text(times.most()) + ", all within " + DurationText.text(times.longest()));
    }

    private Grid stalls(CrashReport report) {
        Grid grid = new Grid(width, "longest stall of an instance", "took", "");
        for (Stall stall : report.stalls())
            grid.row(whose(stall.whose()), DurationText.text(stall.took()),
                    stall.callId() + " of " + stall.instance() + ", from "
                            + stall.from().atZone(ZoneOffset.UTC).toLocalTime().truncatedTo(ChronoUnit.MILLIS));
        return grid;
    }

    private static void broken(Grid grid, CrashReport report, Promise promise, String meaning) {
        grid.row(promise.broken(), number(report.broken(promise)), meaning);
    }

    private static String perCall(SortedMap<Integer, Long> calls) {
        return calls.entrySet().stream().map(entry -> entry.getValue() + " calls with " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    private static String faults(List<Fault> faults) {
        Map<FaultKind, Long> kinds = faults.stream()
                .collect(Collectors.groupingBy(Fault::kind, Collectors.counting()));
        return kinds.entrySet().stream().sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getValue() + " " + entry.getKey().text())
                .collect(Collectors.joining(", "));
    }

    private static String name(Kind kind) {
        return switch (kind) {
            case READ_ONLY -> "read-only";
            case IDEMPOTENT -> "idempotent";
            case ONCE -> "at most once";
        };
    }

    private static String whose(Stall.Whose whose) {
        return switch (whose) {
            case VICTIMS -> "its worker was killed, stopped or frozen";
            case ALL -> "the whole fleet was concerned";
            case OTHERS -> "neither";
        };
    }

    private static String number(long count) {
        return Long.toString(count);
    }
}
