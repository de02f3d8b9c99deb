package dev.toolfleet.cli.backtest;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.View;

/// Report of a backtest as tables for people. Pure.
final class BacktestTable {
    private final BacktestReport report;
    private final int limit;

    /// @param limit the most rows of each table
    BacktestTable(BacktestReport report, int limit) {
        this.report = report;
        this.limit = limit;
    }

    List<String> lines(View view) {
        List<String> lines = new ArrayList<>();
        lines.add(report.head());
        lines.addAll(report.summary());
        for (Finding finding : report.findings()) {
            lines.add("");
            lines.add(view.paint(tone(finding), finding.title() + (finding.isShadow() ? " by a rule in shadow" : "")
                    + ": " + BacktestReport.calls(report.tally().calls(finding))));
            lines.addAll(view.lines(groups(finding, view)));
            int further = report.tally().groups(finding).size() - limit;
            if (further > 0)
                lines.add("and " + further + " more rows (--limit shows more)");
            if (report.query().examples() > 0) {
                lines.add("");
                lines.addAll(view.lines(examples(finding, view)));
            }
        }
        return lines;
    }

    private Grid groups(Finding finding, View view) {
        Grid grid = view.grid("calls", "ok", "error", "pending", "no result", "agent",
                finding.isShadow() ? "tool, rule" : "tool");
        report.tally().groups(finding).stream().limit(limit).forEach(entry -> {
            FindingGroup group = entry.getValue();
            FindingGroup.Key key = entry.getKey();
            grid.row(BacktestReport.count(group.calls()), count(group, Returned.OK), count(group, Returned.ERROR),
                    count(group, Returned.PENDING), count(group, Returned.NONE), BacktestReport.cell(key.agent()),
                    BacktestReport.tool(key.tool()) + (key.rule().isEmpty() ? "" : ", " + key.rule()));
        });
        return grid;
    }

    private Grid examples(Finding finding, View view) {
        Grid grid = view.grid("call", "instance", "at", "tool", "labels", "returned", "now → then",
                "rule: reason");
        for (Example example : report.tally().examples(finding)) {
            Difference difference = example.difference();
            grid.row(example.callId(), BacktestReport.cell(example.call().instanceKey()), BacktestReport.time(example),
                    BacktestReport.tool(example.call().name()), example.labels().text(),
                    BacktestReport.returned(example),
                    difference.before().text() + " → " + difference.after().text(),
                    difference.cause().rule() + ": " + BacktestReport.reason(difference));
        }
        return grid;
    }

    private static String count(FindingGroup group, Returned returned) {
        return BacktestReport.count(group.count(returned));
    }

    private static Tone tone(Finding finding) {
        return switch (finding) {
            case DENIED, WOULD_DENY -> Tone.BAD;
            case ASKED, WOULD_ASK -> Tone.WAITING;
            case ALLOWED, NO_LONGER_ASKED, WOULD_ALLOW -> Tone.GOOD;
        };
    }
}
