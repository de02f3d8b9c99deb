package dev.toolfleet.console.page;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.ToolErrorEvent;

/// Cluster of like errors: of one code and tool, whose messages differ in numbers, ids and quoted texts only. Pure.
///
/// @param newest the newest of them
record ErrorCluster(String code, String tool, int count, Instant first, Instant last, ToolErrorEvent newest) {
    private static final Pattern VARIES = Pattern
            .compile("'[^']*'|\"[^\"]*\"|\\b[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]+)*\\b|\\d+");

    /// Returns the clusters, the largest first.
    static List<ErrorCluster> of(List<ToolErrorEvent> errors) {
        Map<List<String>, List<ToolErrorEvent>> alike = new LinkedHashMap<>();
        errors.forEach(error -> alike.computeIfAbsent(key(error), _ -> new ArrayList<>()).add(error));
        return alike.values().stream().map(ErrorCluster::cluster)
                .sorted(Comparator.comparingInt(ErrorCluster::count).reversed()
                        .thenComparing(Comparator.comparing(ErrorCluster::last).reversed()))
                .toList();
    }

    private static List<String> key(ToolErrorEvent error) {
        return List.of(error.error().code(), error.toolName(), VARIES.matcher(error.error().message()).replaceAll("…"));
    }

    private static ErrorCluster cluster(List<ToolErrorEvent> errors) {
        Comparator<ToolErrorEvent> byTime = Comparator.comparing(ToolErrorEvent::occurredAt);
        ToolErrorEvent newest = errors.stream().max(byTime).orElseThrow();
        Instant first = errors.stream().min(byTime).orElseThrow().occurredAt();
        return new ErrorCluster(newest.error().code(), newest.toolName(), errors.size(), first, newest.occurredAt(),
                newest);
    }

    /// True if it is unknown whether the calls had an effect.
    boolean isUnknown() {
        return code.equals(ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name());
    }

    /// Returns the message, unless the tool accesses sensitive data.
    String message() {
        return newest.sensitive() ? "not shown: the tool accesses sensitive data" : newest.error().message();
    }
}
