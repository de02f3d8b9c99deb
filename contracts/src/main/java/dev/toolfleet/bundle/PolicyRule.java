package dev.toolfleet.bundle;

import java.util.Set;

import dev.toolfleet.json.Digests;

/// One rule of a ToolPolicy: what it says about which tools, called by whom.
///
/// @param id unique in its ToolPolicy; made from what the rule says when it has none, so that neither its place nor its
/// neighbours change it
/// @param reason for people and for the model that is refused; empty when there is none
/// @param priority among rules of one stage and verdict, the highest gives the reason
public record PolicyRule(String id, RuleSelector selector, RuleScope scope, Verdict verdict, String reason,
        int priority) {
    /// The fields of a rule that say something other than which tools.
    public static final Set<String> FIELDS = Set.of("id", "scope", "verdict", "reason", "priority");

    private static final int ID_DIGITS = 10;

    static PolicyRule of(ResourceJson rule) {
        rule.known(FIELDS, RuleSelector.FIELDS);
        RuleSelector selector = RuleSelector.of(rule);
        RuleScope scope = RuleScope.of(rule.get("scope"));
        Verdict verdict = rule.get("verdict").choice(Verdict.class)
                .orElseThrow(() -> rule.get("verdict").wrong(Choices.form(Verdict.class)));
        return new PolicyRule(rule.get("id").text(id(selector, scope, verdict)), selector, scope, verdict,
                rule.get("reason").text("").strip(), rule.get("priority").whole(0));
    }

    /// Larger when it is about fewer calls.
    public int specificity() {
        return scope.keys() * 100_000 + selector.specificity();
    }

    /// Whether every call that the other rule is about is one that this rule is about.
    public boolean covers(PolicyRule other) {
        return selector.covers(other.selector) && scope.covers(other.scope);
    }

    /// What it says, without its reason: `deny tool=bash__* userId=u1`.
    public String text() {
        return text(selector, scope, verdict);
    }

    private static String text(RuleSelector selector, RuleScope scope, Verdict verdict) {
        String who = scope.toString();
        return verdict.text() + " " + selector + (who.isEmpty() ? "" : " " + who);
    }

    private static String id(RuleSelector selector, RuleScope scope, Verdict verdict) {
        String digest = Digests.sha256(text(selector, scope, verdict));
        return "rule-" + digest.substring(digest.indexOf(':') + 1, digest.indexOf(':') + 1 + ID_DIGITS);
    }
}
