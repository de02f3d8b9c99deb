package dev.toolfleet.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.ApprovalTerms;
import dev.toolfleet.bundle.ArgCondition.Outcome;
import dev.toolfleet.bundle.ArgConditions;
import dev.toolfleet.bundle.Glob;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.bundle.PolicyRule;
import dev.toolfleet.bundle.RuleScope;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.RuleSource;
import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.wire.InstanceLabel;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Rule in compiled form.
///
/// @param id `bundle/policy/id`
/// @param fleetWide true if it applies outside its bundle, where it only restricts
/// @param until its end; null when only a change of the policy ends it
record CompiledRule(String id, String bundle, boolean fleetWide, PolicyRule rule, Cause cause,
        @Nullable Instant until) {
    /// The order within a stage: the strictest verdict first. Then priority, specificity and id choose the reason. No
    /// two rules are equal unless their content is, so the order of a file decides nothing.
    static final Comparator<CompiledRule> ORDER = Comparator.<CompiledRule, Verdict>comparing(r -> r.rule.verdict())
            .reversed()
            .thenComparing(Comparator.<CompiledRule>comparingInt(r -> r.rule.priority()).reversed())
            .thenComparing(Comparator.<CompiledRule>comparingInt(r -> r.rule.specificity()).reversed())
            .thenComparing(CompiledRule::id).thenComparing(r -> r.rule.text()).thenComparing(r -> r.rule.reason());

    private static final String GUARDED = "trust-guarded";
    private static final Set<String> BOTH = Set.of(InstanceLabel.UNTRUSTED, InstanceLabel.SENSITIVE);

    static CompiledRule of(String bundle, String policy, Reach reach, PolicyRule rule) {
        String id = bundle + "/" + policy + "/" + rule.id();
        String reason = rule.reason().isEmpty()
                ? "Rule " + rule.id() + " of ToolPolicy " + policy + " has the verdict " + rule.verdict().text()
                        + (rule.when().isEmpty() ? "." : conditional(rule))
                : rule.reason();
        return new CompiledRule(id, bundle, reach == Reach.FLEET, rule,
                new Cause(Stage.of(rule), rule.verdict(), id, reason, rule.approvals()), null);
    }

    private static String conditional(PolicyRule rule) {
        return " when " + rule.when() + (rule.verdict() == Verdict.ALLOW
                ? "."
                : ", or when the arguments leave it undecided.");
    }

    /// Makes the rule of an operator's denial. It is global whatever it selects, and its reason comes before all
    /// others.
    ///
    /// @param until null when it ends with its resource
    static CompiledRule ofOperator(String name, RuleSelector selector, String reason, @Nullable Instant until) {
        PolicyRule rule = new PolicyRule(name, selector, RuleScope.ALL, Verdict.DENY, reason,
                Integer.MAX_VALUE);
        String id = OperatorDenial.rule(name);
        return new CompiledRule(id, OperatorDenial.BUNDLE, true, rule,
                new Cause(Stage.GLOBAL_DENY, Verdict.DENY, id, reason), until);
    }

    /// Makes the rule of a policy with `trust: guarded`. It comes before all other rules of its stage that require approval.
    /// Otherwise: the question names another rule alone, and an approval of that one would cover the labels that came
    /// meanwhile.
    static CompiledRule guarded(String bundle, String policy, Reach reach) {
        return of(bundle, policy, reach, new PolicyRule(GUARDED, RuleSelector.ofFlag(ToolFlag.SENDS), RuleScope.ALL,
                ArgConditions.NONE, BOTH, Verdict.REQUIRE_APPROVAL, "The tool can carry data out, and in this"
                        + " conversation the agent has both read text that anybody may have written and received"
                        + " sensitive data.",
                Integer.MAX_VALUE, ApprovalTerms.ONE, PolicyRule.Mode.ENFORCE));
    }

    /// Bearing of a rule on a call.
    enum Bearing {
        /// Not at all.
        NONE,
        /// Probably: a condition on the arguments is undecided, and the rule restricts.
        DOUBTFUL,
        /// Wholly.
        CERTAIN
    }

    /// Returns its bearing on a call by this caller, with these arguments, at this time. With unknown arguments, a rule
    /// that allows or requires approval counts, because it may apply. One that denies does not count, because it may
    /// not apply.
    Bearing bearing(Facts facts, Instant now) {
        if (!concerns(facts, now) || !facts.labels().containsAll(rule.labels()))
            return Bearing.NONE;
        if (rule.when().isEmpty())
            return Bearing.CERTAIN;
        JsonNode arguments = facts.arguments();
        if (arguments == null)
            return rule.verdict() == Verdict.DENY ? Bearing.NONE : Bearing.CERTAIN;
        Outcome outcome = rule.when().check(arguments);
        if (!ArgConditions.counts(rule.verdict(), outcome))
            return Bearing.NONE;
        return outcome == Outcome.MET ? Bearing.CERTAIN : Bearing.DOUBTFUL;
    }

    /// True if it applies to this caller, agent, Tool and time, whatever the arguments and the labels are.
    boolean concerns(Facts facts, Instant now) {
        return inScope(facts.caller()) && holds(facts) && (until == null || now.isBefore(until));
    }

    /// True if arguments or labels decide whether it counts.
    boolean isConditional() {
        return !rule.when().isEmpty() || !rule.labels().isEmpty();
    }

    /// Checks its conditions against the labels and arguments of a call, for people.
    RuleCheck check(Facts facts, Instant now) {
        JsonNode arguments = facts.arguments();
        List<RuleCheck.Checked> checked = new ArrayList<>();
        new TreeSet<>(rule.labels()).forEach(label -> checked.add(new RuleCheck.Checked("label " + label,
                facts.labels().contains(label) ? "met" : "not met")));
        rule.when().all().forEach(condition -> checked.add(new RuleCheck.Checked(condition.text(),
                arguments == null ? "unknown" : condition.why(arguments))));
        return new RuleCheck(cause, bearing(facts, now) != Bearing.NONE, rule.isShadow(), checked);
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

    /// True if it selects this tool, for any caller.
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
