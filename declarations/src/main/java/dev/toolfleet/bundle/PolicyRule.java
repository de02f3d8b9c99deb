package dev.toolfleet.bundle;

import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.json.Digests;

/// Rule of a ToolPolicy: a verdict for tools, callers and arguments.
///
/// @param id unique in its ToolPolicy; derived from the rule's content when it has none, so that it does not depend on
///        its place or its neighbours
/// @param labels that the instance must all have; empty for an instance with any labels
/// @param reason for people and for the model of a rejected call; empty for none
/// @param priority among rules of one stage and verdict, the highest gives the reason
/// @param approvals the terms of the approval, in a rule that requires approval
/// @param mode of the rule; two rules of one content and different modes have the same derived id
public record PolicyRule(String id, RuleSelector selector, RuleScope scope, ArgConditions when,
        Set<String> labels, Verdict verdict, String reason, int priority, ApprovalTerms approvals, Mode mode) {
    /// The fields of a rule that do not select tools.
    public static final Set<String> FIELDS = Set.of("id", "scope", "when", "verdict", "reason", "priority",
            "approvals", "mode");

    private static final int ID_DIGITS = 10;

    /// Copies the labels.
    public PolicyRule {
        labels = Set.copyOf(labels);
    }

    /// Effect of a rule.
    public enum Mode {
        /// The rule takes part in decisions.
        ENFORCE,
        /// The rule is judged and audited, and changes no decision.
        SHADOW
    }

    /// Makes an enforced rule for any arguments, without terms for approvals.
    public PolicyRule(String id, RuleSelector selector, RuleScope scope, Verdict verdict, String reason,
            int priority) {
        this(id, selector, scope, ArgConditions.NONE, Set.of(), verdict, reason, priority, ApprovalTerms.ONE,
                Mode.ENFORCE);
    }

    static PolicyRule of(ResourceJson rule) {
        rule.known(FIELDS, RuleSelector.FIELDS);
        RuleSelector selector = RuleSelector.of(rule);
        RuleScope scope = RuleScope.of(rule.get("scope"));
        ArgConditions when = ArgConditions.of(rule.get("when"));
        Set<String> labels = LabelNames.all(rule.get("when").get("labels"));
        Verdict verdict = rule.get("verdict").choice(Verdict.class)
                .orElseThrow(() -> rule.get("verdict").wrong(Choices.form(Verdict.class)));
        ApprovalTerms approvals = ApprovalTerms.of(rule.get("approvals"));
        if (rule.get("approvals").present() && verdict != Verdict.REQUIRE_APPROVAL)
            throw rule.get("approvals").wrong("left out, unless the verdict is require-approval");
        return new PolicyRule(rule.get("id").text(id(text(selector, scope, when, labels, verdict, approvals))),
                selector,
                scope, when, labels, verdict, rule.get("reason").text("").strip(), rule.get("priority").whole(0),
                approvals,
                rule.get("mode").choice(Mode.class).orElse(Mode.ENFORCE));
    }

    /// True if it changes no decision.
    public boolean isShadow() {
        return mode == Mode.SHADOW;
    }

    /// Returns the same rule in the mode `enforce`.
    public PolicyRule enforced() {
        return isShadow()
                ? new PolicyRule(id, selector, scope, when, labels, verdict, reason, priority, approvals, Mode.ENFORCE)
                : this;
    }

    /// Returns its specificity: larger when it applies to fewer calls.
    public int specificity() {
        return scope.keys() * 1_000_000 + (when.all().size() + labels.size()) * 20_000 + selector.specificity();
    }

    /// True if this rule applies to every call to which the other one applies.
    public boolean covers(PolicyRule other) {
        return selector.covers(other.selector) && scope.covers(other.scope) && when.covers(other.when)
                && other.labels.containsAll(labels);
    }

    /// Returns its content without the reason: `deny tool=bash__* userId=u1`, that of a shadow rule with ` mode=shadow`.
    public String text() {
        return text(selector, scope, when, labels, verdict, approvals) + (isShadow() ? " mode=shadow" : "");
    }

    private static String text(RuleSelector selector, RuleScope scope, ArgConditions when, Set<String> labels,
            Verdict verdict, ApprovalTerms approvals) {
        String who = scope.toString();
        return verdict.text() + " " + selector + (who.isEmpty() ? "" : " " + who)
                + (when.isEmpty() ? "" : " when " + when)
                + (labels.isEmpty() ? "" : " labels=" + String.join(",", new TreeSet<>(labels))) + approvals.text();
    }

    private static String id(String text) {
        String digest = Digests.sha256(text);
        return "rule-" + digest.substring(digest.indexOf(':') + 1, digest.indexOf(':') + 1 + ID_DIGITS);
    }
}
