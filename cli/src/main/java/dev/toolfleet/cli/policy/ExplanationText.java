package dev.toolfleet.cli.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.ApprovalTerms;
import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.json.Json;
import dev.toolfleet.policy.Cause;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.policy.RuleCheck;
import dev.toolfleet.policy.ShadowVerdict;
import dev.toolfleet.policy.StageResult;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Explanations as lines and as JSON. Pure.
final class ExplanationText {
    private static final int WIDEST_RULE = 44;
    private static final String NOTHING = "–";

    private ExplanationText() {}

    static List<String> lines(Explanation explained, View view) {
        List<String> lines = new ArrayList<>();
        lines.add(tool(explained.query().tool()));
        lines.add(caller(explained.caller()));
        lines.add("");
        lines.addAll(view.lines(stages(explained, view)));
        lines.add("");
        explained.conditional().forEach(check -> conditions(check, lines));
        Cause cause = explained.cause();
        lines.add(view.paint(tone(cause.verdict()), cause.verdict().text()) + " by " + cause.rule() + " ("
                + cause.stage().text() + "): " + TextWidth.oneLine(cause.reason()));
        lines.add(explained.why());
        terms(explained).ifPresent(lines::add);
        explained.shadows().forEach(shadow -> lines.add("In shadow, " + shadow.cause().rule() + " "
                + would(shadow.cause().verdict()) + (shadow.changes()
                        ? ": with it, the verdict would be " + shadow.would().text() + "."
                        : ", and would change nothing.")));
        lines.add(view.paint(Tone.DIM, "policy " + explained.decision().policyDigest()));
        return lines;
    }

    static ObjectNode json(Explanation explained) {
        ObjectNode json = cause(explained.cause()).put("tool", explained.query().tool().name()).put("bundle",
                explained.query().tool().bundle());
        ApprovalTerms terms = explained.approvals();
        if (!terms.equals(ApprovalTerms.ONE))
            json.putObject("approvals").put("quorum", terms.quorum()).put("notRequester", terms.notRequester());
        explained.switchedOff().ifPresent(denial -> json.set("switchedOff", DenialText.json(denial)));
        json.put("why", explained.why()).put("policyDigest", explained.decision().policyDigest());
        if (!explained.conditional().isEmpty())
            json.set("conditions", conditional(explained));
        if (!explained.shadows().isEmpty())
            json.set("shadows", shadows(explained));
        ArrayNode stages = json.putArray("stages");
        for (StageResult result : explained.decision().stages()) {
            stages.add(result.said().map(ExplanationText::cause)
                    .orElseGet(() -> Json.MAPPER.createObjectNode().put("stage", result.stage().text())));
        }
        return json;
    }

    /// The people who must approve, unless any one person may.
    private static Optional<String> terms(Explanation explained) {
        ApprovalTerms terms = explained.approvals();
        if (terms.equals(ApprovalTerms.ONE))
            return Optional.empty();
        String people = terms.quorum() == 1 ? "One person" : terms.quorum() + " different people";
        String user = explained.caller().userId();
        String others = terms.notRequester()
                ? ", and not the requester, " + (user == null ? "the call's user" : "user " + user)
                : "";
        return Optional.of(people + " must approve each call" + others + ".");
    }

    private static void conditions(RuleCheck check, List<String> lines) {
        Cause cause = check.cause();
        boolean known = check.conditions().stream().noneMatch(condition -> condition.outcome().equals("unknown"));
        lines.add(cause.rule() + (check.shadow() ? ", in shadow, would say " : " says ") + cause.verdict().text()
                + " when all of these are met"
                + (cause.verdict() == Verdict.ALLOW ? "" : " or undecided")
                + (known ? check.counts() ? "; it counts:" : "; it does not count:" : ":"));
        for (RuleCheck.Checked condition : check.conditions())
            lines.add("  " + TextWidth.oneLine(condition.condition()) + "  " + condition.outcome());
        lines.add("");
    }

    private static ArrayNode conditional(Explanation explained) {
        ArrayNode rules = Json.MAPPER.createArrayNode();
        for (RuleCheck check : explained.conditional()) {
            ObjectNode rule = rules.addObject().put("rule", check.cause().rule())
                    .put("verdict", check.cause().verdict().text()).put("counts", check.counts());
            if (check.shadow())
                rule.put("shadow", true);
            ArrayNode conditions = rule.putArray("conditions");
            for (RuleCheck.Checked condition : check.conditions())
                conditions.addObject().put("outcome", condition.outcome()).set("condition",
                        Json.MAPPER.readTree(condition.condition()));
        }
        return rules;
    }

    private static ArrayNode shadows(Explanation explained) {
        ArrayNode shadows = Json.MAPPER.createArrayNode();
        for (ShadowVerdict shadow : explained.shadows())
            shadows.add(cause(shadow.cause()).put("would", shadow.would().text()).put("changes", shadow.changes()));
        return shadows;
    }

    private static String would(Verdict verdict) {
        return "would " + verdict.text();
    }

    private static Grid stages(Explanation explained, View view) {
        Grid grid = view.grid("", "stage", "says", "rule", "because");
        for (StageResult result : explained.decision().stages()) {
            String decides = result.said().filter(explained.cause()::equals).isPresent() ? "→" : "";
            result.said().ifPresentOrElse(
                    cause -> row(grid, decides, result.stage().text(), cause),
                    () -> grid.row("", result.stage().text(), NOTHING, "", ""));
            Objects.requireNonNull(explained.also().get(result.stage()), "each stage")
                    .forEach(other -> row(grid, "", "  also", other));
            explained.shadows().stream().map(ShadowVerdict::cause).filter(cause -> cause.stage() == result.stage())
                    .forEach(cause -> row(grid, "", "  shadow", would(cause.verdict()), cause));
        }
        return grid;
    }

    private static void row(Grid grid, String decides, String stage, Cause cause) {
        row(grid, decides, stage, cause.verdict().text(), cause);
    }

    private static void row(Grid grid, String decides, String stage, String says, Cause cause) {
        grid.row(decides, stage, says, TextWidth.cut(cause.rule(), WIDEST_RULE),
                TextWidth.oneLine(cause.reason()));
    }

    private static String tool(PolicyTool tool) {
        Set<String> flags = tool.flags().stream().map(ToolFlag::text).collect(Collectors.toCollection(TreeSet::new));
        String group = tool.group();
        return tool.name() + " of " + tool.bundle() + ": source " + tool.source() + ", entry "
                + Objects.requireNonNullElse(tool.entry(), NOTHING) + ", "
                + (group == null ? "no group" : "group " + group) + ", "
                + (flags.isEmpty() ? "no flags" : String.join(" ", flags));
    }

    private static String caller(PolicyCaller caller) {
        return "called by agent " + Objects.requireNonNullElse(caller.agentName(), NOTHING) + ", user "
                + Objects.requireNonNullElse(caller.userId(), NOTHING) + ", channel "
                + Objects.requireNonNullElse(caller.channelId(), NOTHING);
    }

    private static ObjectNode cause(Cause cause) {
        return Json.MAPPER.createObjectNode().put("stage", cause.stage().text()).put("verdict", cause.verdict().text())
                .put("rule", cause.rule()).put("reason", cause.reason());
    }

    private static Tone tone(Verdict verdict) {
        return switch (verdict) {
            case ALLOW -> Tone.GOOD;
            case REQUIRE_APPROVAL -> Tone.WAITING;
            case DENY -> Tone.BAD;
        };
    }
}
