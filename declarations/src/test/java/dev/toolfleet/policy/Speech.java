package dev.toolfleet.policy;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.bundle.Verdict;

/// Stage with a verdict about said__it when coder calls it for u1 in c1: the rule, group or flag for it.
record Speech(Stage stage, Verdict verdict) {
    /// Returns every possible verdict of each stage.
    static List<Speech> all() {
        List<Speech> all = new ArrayList<>();
        all.add(new Speech(Stage.GLOBAL_DENY, Verdict.DENY));
        all.add(new Speech(Stage.USER_DENY, Verdict.DENY));
        for (Stage stage : List.of(Stage.GLOBAL_ALLOW, Stage.USER_ALLOW)) {
            all.add(new Speech(stage, Verdict.ALLOW));
            all.add(new Speech(stage, Verdict.REQUIRE_APPROVAL));
        }
        for (Stage stage : List.of(Stage.CHANNEL_POLICY, Stage.GROUP_POLICY, Stage.TOOL_POLICY, Stage.DEFAULT_POLICY)) {
            for (Verdict verdict : Verdict.values())
                all.add(new Speech(stage, verdict));
        }
        all.add(new Speech(Stage.FINANCE_SAFETY, Verdict.REQUIRE_APPROVAL));
        return all;
    }

    /// Returns the rank among stages with verdicts (`docs/policy.md`, the stages).
    int rank() {
        if (stage == Stage.DEFAULT_POLICY)
            return 4;
        if (stage == Stage.FINANCE_SAFETY)
            return 1;
        return switch (verdict) {
            case DENY -> 0;
            case REQUIRE_APPROVAL -> 2;
            case ALLOW -> 3;
        };
    }

    /// Makes a fleet in which only these stages decide about `box__said`.
    static Fleet fleet(List<Speech> speeches) {
        List<String> rules = new ArrayList<>();
        String flags = "";
        String defaultVerdict = "";
        for (Speech speech : speeches) {
            switch (speech.stage) {
                case FINANCE_SAFETY -> flags = ", isTransactional: true";
                case DEFAULT_POLICY -> defaultVerdict = "defaultVerdict: " + speech.verdict.text() + "\n";
                default -> rules.add(speech.rule());
            }
        }
        String tool = "apiVersion: goondan.ai/v1\nkind: Tool\nmetadata: {name: said}\nspec: {entry: java:a.B, exports: "
                + "[{name: it, group: own" + flags + "}]}";
        String list = rules.isEmpty() ? "rules: []" : "rules:\n  - " + String.join("\n  - ", rules);
        return Fleet.acme(tool, Fleet.group("own", "{}"), Fleet.policyOf("p", defaultVerdict + list));
    }

    private String rule() {
        String says = switch (stage) {
            case GLOBAL_DENY, GLOBAL_ALLOW -> "tool: \"*\"";
            case USER_DENY, USER_ALLOW -> "tool: \"*\", scope: {userId: u1}";
            case CHANNEL_POLICY -> "tool: \"*\", scope: {channelId: c1}";
            case GROUP_POLICY -> "group: own";
            case TOOL_POLICY -> "tool: said__it";
            case FINANCE_SAFETY, DEFAULT_POLICY -> throw new IllegalStateException(stage + " has no rules");
        };
        return "{" + says + ", verdict: " + verdict.text() + ", id: " + stage.text() + "-" + verdict.text() + "}";
    }

    @Override
    public String toString() {
        return stage.text() + " says " + verdict.text();
    }
}
