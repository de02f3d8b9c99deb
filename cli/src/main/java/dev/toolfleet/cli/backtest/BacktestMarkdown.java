package dev.toolfleet.cli.backtest;

import java.util.ArrayList;
import java.util.List;

/// Report of a backtest as Markdown, for comments on changes of a policy. Pure.
final class BacktestMarkdown {
    private final BacktestReport report;
    private final int limit;

    /// @param limit the most rows of each table
    BacktestMarkdown(BacktestReport report, int limit) {
        this.report = report;
        this.limit = limit;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("## Backtest of " + text(report.bundle()));
        lines.add("");
        lines.add(text(report.head()) + ".");
        lines.add("");
        report.summary().forEach(line -> lines.add("- " + text(line)));
        for (Finding finding : report.findings()) {
            lines.add("");
            lines.add("### " + heading(finding));
            lines.add("");
            groups(finding, lines);
            if (report.query().examples() > 0)
                examples(finding, lines);
        }
        return lines;
    }

    private String heading(Finding finding) {
        String title = finding.title();
        return Character.toUpperCase(title.charAt(0)) + title.substring(1)
                + (finding.isShadow() ? " by a rule in shadow" : "") + ": "
                + BacktestReport.calls(report.tally().calls(finding));
    }

    private void groups(Finding finding, List<String> lines) {
        lines.add("| tool | agent | rule in shadow | calls | ok | error | pending | no result |");
        lines.add("|---|---|---|---:|---:|---:|---:|---:|");
        var groups = report.tally().groups(finding);
        groups.stream().limit(limit).forEach(entry -> {
            FindingGroup.Key key = entry.getKey();
            FindingGroup group = entry.getValue();
            lines.add(row(code(BacktestReport.tool(key.tool())), code(BacktestReport.cell(key.agent())),
                    code(BacktestReport.cell(key.rule())), BacktestReport.count(group.calls()),
                    BacktestReport.count(group.count(Returned.OK)), BacktestReport.count(group.count(Returned.ERROR)),
                    BacktestReport.count(group.count(Returned.PENDING)),
                    BacktestReport.count(group.count(Returned.NONE))));
        });
        if (groups.size() > limit)
            lines.add(row("and " + (groups.size() - limit) + " more", "", "", "", "", "", "", ""));
    }

    private void examples(Finding finding, List<String> lines) {
        lines.add("");
        lines.add("| call | instance | at | tool | agent | labels | returned | now → then | rule | reason |");
        lines.add("|---|---|---|---|---|---|---|---|---|---|");
        for (Example example : report.tally().examples(finding)) {
            Difference difference = example.difference();
            lines.add(row(code(example.callId()), code(BacktestReport.cell(example.call().instanceKey())),
                    BacktestReport.time(example), code(BacktestReport.tool(example.call().name())),
                    code(BacktestReport.agent(example)), example.labels().text(),
                    text(BacktestReport.returned(example)),
                    difference.before().text() + " → " + difference.after().text(), code(difference.cause().rule()),
                    text(BacktestReport.reason(difference))));
        }
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    /// A text of strangers as code: nothing in it is a link, a name that is notified, or the end of a cell.
    private static String code(String text) {
        return text.equals(BacktestReport.NOTHING) ? text : "`" + text.replace('`', '\'').replace("|", "\\|") + "`";
    }

    /// A text of strangers as text.
    private static String text(String text) {
        return text.replaceAll("([\\\\`*_{}\\[\\]<>()#|~@!])", "\\\\$1");
    }
}
