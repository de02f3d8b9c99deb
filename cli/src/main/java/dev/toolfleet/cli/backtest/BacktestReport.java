package dev.toolfleet.cli.backtest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.View;

/// Result of a backtest, with the texts that its forms share. Pure.
///
/// @param bundle name of the judged bundle
/// @param failed findings on which the command fails
record BacktestReport(String bundle, BacktestQuery query, BacktestTally tally, List<Finding> failed) {
    static final String NOTHING = "–";
    private static final int WIDEST = 40;
    private static final int LONGEST_REASON = 200;
    private static final int MOST_TOOLS = 5;

    /// Copies the findings.
    BacktestReport {
        failed = List.copyOf(failed);
    }

    /// The findings that there are, in their order.
    List<Finding> findings() {
        return Arrays.stream(Finding.values()).filter(finding -> tally.calls(finding) > 0).toList();
    }

    String head() {
        return calls(tally.judged()) + " since " + query.since() + ", judged by the fleet's policy and with the bundle "
                + bundle;
    }

    /// Lines that sum up: verdicts before and after, calls that were not judged, and findings on which the command
    /// fails.
    List<String> summary() {
        List<String> lines = new ArrayList<>();
        lines.add("now:  " + verdicts(true));
        lines.add("then: " + verdicts(false));
        if (findings().stream().allMatch(Finding::isShadow))
            lines.add("no verdict changes");
        for (PastVerdict.Reason reason : PastVerdict.Reason.values())
            notJudged(reason, lines);
        if (tally.unreadableCalls() > 0)
            lines.add("not judged: " + count(tally.unreadableCalls()) + " records of tool.call that are no calls");
        if (tally.labelsNotKept() > 0)
            lines.add("not known: the labels of " + count(tally.labelsNotKept()) + " results and messages, since more"
                    + " instances have labels than are kept");
        if (!failed.isEmpty())
            lines.add("failed: there are calls " + failed.stream().map(Finding::title)
                    .collect(Collectors.joining(", or ")) + " (--fail-on)");
        return lines;
    }

    private String verdicts(boolean before) {
        return Arrays.stream(Verdict.values())
                .map(verdict -> count(before ? tally.before(verdict) : tally.after(verdict)) + " " + verdict.text())
                .collect(Collectors.joining(", "));
    }

    private void notJudged(PastVerdict.Reason reason, List<String> lines) {
        List<BacktestTally.Unjudged> tools = new ArrayList<>();
        long calls = 0;
        for (var entry : tally.unjudged()) {
            if (entry.getKey().reason() == reason) {
                tools.add(entry.getKey());
                calls += entry.getValue();
            }
        }
        if (calls > 0)
            lines.add("not judged: " + calls(calls) + " of tools " + reason.text() + ": "
                    + tools.stream().limit(MOST_TOOLS).map(tool -> tool(tool.tool())).collect(Collectors.joining(", "))
                    + (tools.size() > MOST_TOOLS ? ", …" : ""));
    }

    static String calls(long number) {
        return count(number) + (number == 1 ? " call" : " calls");
    }

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /// A tool's name in a cell; of those that are not told apart, their common name.
    static String tool(String name) {
        return name.isEmpty() ? "others" : cell(name);
    }

    static String cell(String text) {
        return text.isEmpty() ? NOTHING : ShownJson.brief(text, WIDEST);
    }

    static String reason(Difference difference) {
        return ShownJson.brief(difference.cause().reason(), LONGEST_REASON);
    }

    /// The past result of an example: `error E_TOOL_TIMEOUT`.
    static String returned(Example example) {
        String code = example.code();
        return example.returned().text() + (code == null ? "" : " " + cell(code));
    }

    static String agent(Example example) {
        return cell(Objects.requireNonNullElse(example.call().agentName(), ""));
    }

    static String time(Example example) {
        return View.time(example.at());
    }
}
