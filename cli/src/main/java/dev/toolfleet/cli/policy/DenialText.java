package dev.toolfleet.cli.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.table.Took;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// What operators have switched off, as lines and as JSON. Pure.
final class DenialText {
    private static final int MOST_TOOLS = 12;

    private DenialText() {}

    /// @param known the names of all tools of the fleet
    static List<String> lines(List<OperatorDenial> denials, Collection<String> known, Instant now, Style style,
            int width) {
        Grid grid = new Grid(width, "tools", "hits", "until", "ends in", "by", "reason");
        for (OperatorDenial denial : denials)
            grid.row(denial.name(), String.valueOf(hits(denial, known).size()), denial.until().toString(),
                    Took.coarse(Duration.between(now, denial.until())), TextWidth.oneLine(denial.by()),
                    TextWidth.oneLine(denial.reason()));
        return grid.lines(style);
    }

    static ObjectNode json(OperatorDenial denial) {
        return Json.MAPPER.createObjectNode().put("tool", denial.name()).put("by", denial.by())
                .put("reason", denial.reason()).put("since", denial.since().toString())
                .put("until", denial.until().toString());
    }

    /// The names that a denial is about, in their order.
    static List<String> hits(OperatorDenial denial, Collection<String> known) {
        return known.stream().filter(denial.tools()::matches).sorted().toList();
    }

    /// Not more names than a person reads.
    static String some(List<String> names) {
        return String.join(", ", names.stream().limit(MOST_TOOLS).toList())
                + (names.size() > MOST_TOOLS ? " and " + (names.size() - MOST_TOOLS) + " more" : "");
    }
}
