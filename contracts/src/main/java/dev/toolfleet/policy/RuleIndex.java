package dev.toolfleet.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The rules of each stage, the one that speaks for the stage first, and for each tool those that select it. What
/// selects a tool depends on its declaration alone, so it is found out once per tool; a call then compares scopes.
final class RuleIndex {
    /// Beyond that many tools the rules are looked through each time.
    private static final int MAX_TOOLS = 4096;

    private final List<List<CompiledRule>> byStage;
    private final Map<PolicyTool, List<List<CompiledRule>>> byTool = new ConcurrentHashMap<>();

    RuleIndex(List<CompiledRule> rules) {
        List<CompiledRule> sorted = rules.stream().sorted(CompiledRule.ORDER).toList();
        byStage = Arrays.stream(Stage.values())
                .map(stage -> sorted.stream().filter(rule -> rule.cause().stage() == stage).toList()).toList();
    }

    /// The rules of a stage that select the tool, in their order.
    List<CompiledRule> about(Facts facts, Stage stage) {
        List<List<CompiledRule>> known = byTool.get(facts.tool());
        if (known == null) {
            known = byStage.stream().map(rules -> rules.stream().filter(rule -> rule.selects(facts)).toList()).toList();
            if (byTool.size() < MAX_TOOLS)
                byTool.put(facts.tool(), known);
        }
        return known.get(stage.ordinal());
    }
}
