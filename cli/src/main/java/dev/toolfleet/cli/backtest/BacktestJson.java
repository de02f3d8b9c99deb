package dev.toolfleet.cli.backtest;

import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Report of a backtest as one JSON object, with all groups. Pure.
final class BacktestJson {
    private BacktestJson() {}

    static String text(BacktestReport report) {
        return ShownJson.line(json(report));
    }

    private static ObjectNode json(BacktestReport report) {
        BacktestTally tally = report.tally();
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("bundle", report.bundle()).put("since", report.query().since().toString())
                .put("judged", tally.judged());
        ObjectNode before = json.putObject("before");
        ObjectNode after = json.putObject("after");
        for (Verdict verdict : Verdict.values()) {
            before.put(verdict.text(), tally.before(verdict));
            after.put(verdict.text(), tally.after(verdict));
        }
        ArrayNode changes = json.putArray("changes");
        ArrayNode shadows = json.putArray("shadows");
        report.findings().forEach(
                finding -> (finding.isShadow() ? shadows : changes).add(finding(finding, tally)));
        ArrayNode notJudged = json.putArray("notJudged");
        tally.unjudged().forEach(entry -> notJudged.addObject().put("reason", entry.getKey().reason().text())
                .put("tool", entry.getKey().tool()).put("calls", entry.getValue()));
        json.put("unreadable", tally.unreadableCalls());
        ArrayNode failed = json.putArray("failed");
        report.failed().forEach(finding -> failed.add(finding.text()));
        return json;
    }

    private static ObjectNode finding(Finding finding, BacktestTally tally) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("finding", finding.text()).put("calls", tally.calls(finding));
        ArrayNode groups = json.putArray("groups");
        tally.groups(finding).forEach(entry -> {
            FindingGroup.Key key = entry.getKey();
            FindingGroup group = entry.getValue();
            ObjectNode each = groups.addObject().put("tool", key.tool()).put("agent", key.agent());
            if (finding.isShadow())
                each.put("rule", key.rule());
            each.put("calls", group.calls()).putObject("returned").put("ok", group.count(Returned.OK))
                    .put("error", group.count(Returned.ERROR)).put("pending", group.count(Returned.PENDING))
                    .put("none", group.count(Returned.NONE)).put("unknown", group.count(Returned.UNKNOWN));
        });
        ArrayNode examples = json.putArray("examples");
        tally.examples(finding).forEach(example -> examples.add(example(example)));
        return json;
    }

    private static ObjectNode example(Example example) {
        Difference difference = example.difference();
        PastCall call = example.call();
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("call", example.callId()).put("toolCallId", call.id()).put("instanceKey", call.instanceKey())
                .put("at", example.at().toString()).put("tool", call.name());
        View.put(json, "agent", call.agentName());
        labels(json.putObject("before").put("verdict", difference.before().text()).put("rule",
                difference.ruleBefore()), example.labels().before());
        labels(json.putObject("after").put("verdict", difference.after().text()).put("rule", difference.cause().rule())
                .put("reason", difference.cause().reason()), example.labels().after());
        ObjectNode returned = json.putObject("returned").put("status", example.returned().text());
        View.put(returned, "code", example.code());
        return json;
    }

    private static void labels(ObjectNode side, Set<String> labels) {
        ArrayNode names = side.putArray("labels");
        new TreeSet<>(labels).forEach(names::add);
    }
}
