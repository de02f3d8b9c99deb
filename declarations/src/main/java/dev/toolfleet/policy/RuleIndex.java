package dev.toolfleet.policy;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// Index of the rules of each stage, the deciding one first, and for each tool of those that select it. A tool's
/// declaration alone decides which rules select it, so that is computed once per tool; a call then compares scopes.
final class RuleIndex {
    /// The most indexed tools; beyond it the rules are searched each time.
    private static final int MAX_TOOLS = 4096;

    private final Map<Stage, List<CompiledRule>> byStage = new EnumMap<>(Stage.class);
    private final boolean empty;
    private final Map<PolicyTool, Map<Stage, List<CompiledRule>>> byTool = new ConcurrentHashMap<>();

    RuleIndex(List<CompiledRule> rules) {
        empty = rules.isEmpty();
        List<CompiledRule> sorted = rules.stream().sorted(CompiledRule.ORDER).toList();
        for (Stage stage : Stage.values())
            byStage.put(stage, sorted.stream().filter(rule -> rule.cause().stage() == stage).toList());
    }

    /// True if it has no rules.
    boolean isEmpty() {
        return empty;
    }

    /// Returns these rules and one more, in the order in which they decide.
    static Map<Stage, List<CompiledRule>> with(Map<Stage, List<CompiledRule>> rules, CompiledRule more) {
        Map<Stage, List<CompiledRule>> all = new EnumMap<>(Stage.class);
        all.putAll(rules);
        all.merge(more.cause().stage(), List.of(more), (there, one) -> Stream.concat(there.stream(), one.stream())
                .sorted(CompiledRule.ORDER).toList());
        return all;
    }

    /// The rules of a stage that select the tool, in their order.
    List<CompiledRule> about(Facts facts, Stage stage) {
        return about(facts).getOrDefault(stage, List.of());
    }

    /// The same for all stages at once.
    Map<Stage, List<CompiledRule>> about(Facts facts) {
        Map<Stage, List<CompiledRule>> known = byTool.get(facts.tool());
        if (known == null) {
            known = selecting(facts);
            if (byTool.size() < MAX_TOOLS)
                byTool.put(facts.tool(), known);
        }
        return known;
    }

    private Map<Stage, List<CompiledRule>> selecting(Facts facts) {
        Map<Stage, List<CompiledRule>> selecting = new EnumMap<>(Stage.class);
        byStage.forEach((stage, rules) -> selecting.put(stage,
                rules.stream().filter(rule -> rule.selects(facts)).toList()));
        return selecting;
    }
}
