package dev.toolfleet.cli.errors;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolErrorEvent;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Counted errors, for people and for programs. Pure.
final class ErrorTable {
    private static final int WIDEST = 40;
    private static final int WIDEST_ID = 28;
    private static final int LONGEST_MESSAGE = 400;
    private static final String SENSITIVE = "[its tool accesses sensitive data]";

    private final ErrorQuery query;
    private final ErrorTally tally;

    ErrorTable(ErrorQuery query, ErrorTally tally) {
        this.query = query;
        this.tally = tally;
    }

    /// A table of at most `limit` groups.
    List<String> table(int limit, View view) {
        if (tally.total() == 0)
            return List.of("no errors " + span() + notices());
        List<ErrorTally.Group> groups = tally.groups();
        Grid grid = view.grid(query.by().text(), "count", "share %", "first", "last", "call", "instance",
                "newest example");
        for (ErrorTally.Group group : groups.subList(0, Math.min(limit, groups.size()))) {
            ErrorFacts example = group.example();
            grid.row(View.cell(group.key().isEmpty() ? null : group.key(), WIDEST), Long.toString(group.count()),
                    percent(group.share()),
                    view.age(group.first()) + " ago", view.age(example.at()) + " ago",
                    View.cell(example.toolCallId(), WIDEST_ID),
                    View.cell(example.instanceKey(), WIDEST_ID), message(example));
        }
        List<String> lines = new ArrayList<>(view.lines(grid));
        long further = groups.stream().skip(limit).mapToLong(ErrorTally.Group::count).sum();
        if (further > 0)
            lines.add("and " + further + " in " + (groups.size() - limit) + " more (--limit shows more)");
        if (tally.beyond() > 0)
            lines.add("and " + tally.beyond() + " that were counted, but not told apart: only the first "
                    + ErrorTally.MAX_GROUPS + " are. Narrow with --since, --tool or --agent");
        lines.add(tally.total() + (tally.total() == 1 ? " error " : " errors ") + span() + notices());
        return lines;
    }

    /// All groups as one object.
    ObjectNode json() {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("by", query.by().text()).put("since", query.since().toString());
        if (query.until() != null)
            json.put("until", query.until().toString());
        json.put("errors", tally.total());
        ArrayNode groups = json.putArray("groups");
        for (ErrorTally.Group group : tally.groups()) {
            ErrorFacts example = group.example();
            ObjectNode each = groups.addObject();
            each.put(query.by().text(), group.key()).put("count", group.count())
                    .put("share", Math.round(group.share() * 10_000) / 10_000.0)
                    .put("first", group.first().toString()).put("last", example.at().toString());
            ObjectNode shown = each.putObject("example");
            shown.put("toolCallId", Objects.requireNonNullElse(example.toolCallId(), ""))
                    .put("instanceKey", Objects.requireNonNullElse(example.instanceKey(), ""))
                    .put("toolName", example.tool()).put("code", example.code());
            if (!example.agent().isEmpty())
                shown.put("agentName", example.agent());
            if (example.sensitive())
                shown.put("sensitive", true);
            else
                shown.put("message", ShownJson.brief(example.message(), LONGEST_MESSAGE));
        }
        json.put("notToldApart", tally.beyond()).put("notices", tally.notices())
                .put("unreadable", tally.unreadable());
        return json;
    }

    private String span() {
        return "from " + query.since() + (query.until() == null ? " on" : " to " + query.until());
    }

    private String notices() {
        return tally.notices() == 0
                ? ""
                : "; " + tally.notices() + (tally.notices() == 1 ? " notice is" : " notices are")
                        + " not among them (--code " + ToolErrorEvent.DIGEST_MISMATCH + ")";
    }

    private static String message(ErrorFacts example) {
        return example.sensitive() ? SENSITIVE : ShownJson.brief(example.message(), LONGEST_MESSAGE);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f", 100 * share);
    }
}
