package dev.toolfleet.cli.policy;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// Tools that operators have switched off, as lines and as JSON. Pure.
final class DenialText {
    private static final int MOST_TOOLS = 12;

    private DenialText() {}

    /// @param known all tools of the fleet
    static List<String> lines(List<OperatorDenial> denials, List<KnownTool> known, View view) {
        Grid grid = view.grid("tools", "hits", "until", "ends in", "by", "reason");
        for (OperatorDenial denial : denials)
            grid.row(denial.name(), String.valueOf(hits(denial, known).size()), denial.until().toString(),
                    view.left(denial.until(), "0 s"), View.shown(denial.by()),
                    View.shown(denial.reason()));
        return view.lines(grid);
    }

    static ObjectNode json(OperatorDenial denial) {
        return Json.MAPPER.createObjectNode().put("tool", denial.name()).put("by", denial.by())
                .put("reason", denial.reason()).put("since", denial.since().toString())
                .put("until", denial.until().toString());
    }

    /// The names that a denial is about, in their order.
    static List<String> hits(OperatorDenial denial, List<KnownTool> known) {
        return known.stream().filter(tool -> denial.hits(tool.name(), tool.entry())).map(KnownTool::name).distinct()
                .sorted().toList();
    }

    /// The tools that a denial is not about although they run what a tool that it is about runs: the same export of the
    /// same code, under another name.
    static List<KnownTool> missed(OperatorDenial denial, List<KnownTool> known) {
        Set<KnownTool.Code> denied = known.stream().filter(tool -> denial.hits(tool.name(), tool.entry()))
                .map(KnownTool::code).collect(Collectors.toSet());
        return known.stream()
                .filter(tool -> denied.contains(tool.code()) && !denial.hits(tool.name(), tool.entry())).toList();
    }

    /// Not more names than a person reads.
    static String some(List<String> names) {
        return String.join(", ", names.stream().limit(MOST_TOOLS).toList())
                + (names.size() > MOST_TOOLS ? " and " + (names.size() - MOST_TOOLS) + " more" : "");
    }
}
