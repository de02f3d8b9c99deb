package dev.toolfleet.policy;

import java.time.Instant;
import java.util.Comparator;
import java.util.Set;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.bundle.PolicyRule;
import dev.toolfleet.bundle.RuleScope;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.RuleSource;
import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import dev.toolfleet.bundle.Verdict;
import org.jspecify.annotations.Nullable;

/// One rule, ready to be asked.
///
/// @param id `bundle/policy/id`
/// @param fleetWide whether it holds outside its bundle, where it only restricts
/// @param until when it ends; null when only a change of the policy ends it
record CompiledRule(String id, String bundle, boolean fleetWide, PolicyRule rule, Cause cause,
        @Nullable Instant until) {
    /// Within a stage: the strictest verdict first; then priority, specificity and id choose whose reason is given. No
    /// two rules are equal unless they say the same, so the order of a file decides nothing.
    static final Comparator<CompiledRule> ORDER = Comparator.<CompiledRule, Verdict>comparing(r -> r.rule.verdict())
            .reversed()
            .thenComparing(Comparator.<CompiledRule>comparingInt(r -> r.rule.priority()).reversed())
            .thenComparing(Comparator.<CompiledRule>comparingInt(r -> r.rule.specificity()).reversed())
            .thenComparing(CompiledRule::id).thenComparing(r -> r.rule.text()).thenComparing(r -> r.rule.reason());

    static CompiledRule of(String bundle, String policy, Reach reach, PolicyRule rule) {
        String id = bundle + "/" + policy + "/" + rule.id();
        String reason = rule.reason().isEmpty()
                ? "Rule " + rule.id() + " of ToolPolicy " + policy + " says " + rule.verdict().text() + "."
                : rule.reason();
        return new CompiledRule(id, bundle, reach == Reach.FLEET, rule,
                new Cause(Stage.of(rule), rule.verdict(), id, reason, rule.approvals()), null);
    }

    /// What an operator has switched off. It is global whatever it selects, and gives its reason before all others.
    ///
    /// @param until null when it ends with its resource
    static CompiledRule ofOperator(String name, RuleSelector selector, String reason, @Nullable Instant until) {
        PolicyRule rule = new PolicyRule(name, selector, RuleScope.ALL, Verdict.DENY, reason, Integer.MAX_VALUE);
        String id = OperatorDenial.rule(name);
        return new CompiledRule(id, OperatorDenial.BUNDLE, true, rule,
                new Cause(Stage.GLOBAL_DENY, Verdict.DENY, id, reason), until);
    }

    /// Whether it is about this caller, and holds for this agent and Tool at this time.
    boolean concerns(Facts facts, Instant now) {
        return inScope(facts.caller()) && holds(facts) && (until == null || now.isBefore(until));
    }

    private boolean holds(Facts facts) {
        return facts.isHome(bundle)
                || (rule.verdict() != Verdict.ALLOW && (fleetWide || facts.agentBundle() == null));
    }

    private boolean inScope(PolicyCaller caller) {
        RuleScope scope = rule.scope();
        return fits(scope.userIds(), caller.userId()) && fits(scope.channelIds(), caller.channelId())
                && fits(scope.agentNames(), caller.agentName());
    }

    /// Whether it is about this tool; the caller plays no part.
    boolean selects(Facts facts) {
        RuleSelector selector = rule.selector();
        return fits(selector.groups(), facts.group()) && fitsSource(selector.sources(), facts)
                && fitsFlag(selector.flags(), facts.tool().flags()) && selector.fitsEntry(facts.tool().entry())
                && fitsName(selector, facts.name());
    }

    private static boolean fits(Set<String> wanted, @Nullable String value) {
        return wanted.isEmpty() || (value != null && wanted.contains(value));
    }

    private static boolean fitsSource(Set<RuleSource> wanted, Facts facts) {
        if (wanted.isEmpty())
            return true;
        for (RuleSource source : wanted) {
            if (source.covers(facts.source()))
                return true;
        }
        return false;
    }

    private static boolean fitsFlag(Set<ToolFlag> wanted, Set<ToolFlag> flags) {
        if (wanted.isEmpty())
            return true;
        for (ToolFlag flag : wanted) {
            if (flags.contains(flag))
                return true;
        }
        return false;
    }

    private static boolean fitsName(RuleSelector selector, String name) {
        if (selector.tools().isEmpty())
            return true;
        for (Glob glob : selector.tools()) {
            if (glob.matchesLowerCase(name))
                return true;
        }
        return false;
    }
}
