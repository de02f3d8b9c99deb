package dev.toolfleet.cli.contract;

import java.util.ArrayList;
import java.util.List;

/// Number of an export's cases of each sort, as text.
final class CaseCount {
    private CaseCount() {}

    static String of(String export, List<ContractCase> cases, String name) {
        List<ContractCase> own = cases.stream().filter(each -> each.name().equals(name)).toList();
        List<String> parts = new ArrayList<>();
        add(parts, own.stream().filter(each -> !each.slow() && each.fails().isEmpty()).count(), "succeeding");
        add(parts, own.stream().filter(each -> each.fails().isPresent()).count(), "failing");
        add(parts, own.stream().filter(ContractCase::slow).count(), "slow");
        return String.format("%-20s %s", export, parts.isEmpty() ? "no cases" : String.join(", ", parts));
    }

    private static void add(List<String> parts, long count, String sort) {
        if (count > 0)
            parts.add(count + " " + sort);
    }
}
