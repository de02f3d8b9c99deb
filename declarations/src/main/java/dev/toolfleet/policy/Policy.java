package dev.toolfleet.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.policy.CompiledRule.Bearing;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import org.jspecify.annotations.Nullable;

/// Compiled policy of all bundles. Immutable; any thread may use it.
///
/// A rule applies to calls by agents of its bundle and to calls of its bundle's Tools. Elsewhere it applies only if it
/// denies or requires approval, and only in two cases: its policy is fleet-wide, or no bundle declares the calling
/// agent (`docs/decisions/0024-whose-policy-holds-where.md`).
public final class Policy {
    private static final Cause TRANSACTIONAL = new Cause(Stage.FINANCE_SAFETY, Verdict.REQUIRE_APPROVAL,
            "finance-safety/isTransactional",
            "The tool moves money or goods (isTransactional), so a person approves each call.");

    private final RuleIndex rules;
    private final RuleIndex shadows;
    private final CallerIds named;
    private final Defaults defaults;
    private final Map<String, String> bundleOfAgent;
    private final String digest;
    private final boolean empty;
    private final boolean labelled;

    private Policy(List<CompiledRule> rules, Defaults defaults, Map<String, String> bundleOfAgent,
            String digest, boolean empty) {
        this.rules = new RuleIndex(rules.stream().filter(rule -> !rule.rule().isShadow()).toList());
        this.shadows = new RuleIndex(rules.stream().filter(rule -> rule.rule().isShadow()).toList());
        this.named = CallerIds.of(rules);
        this.defaults = defaults;
        this.bundleOfAgent = bundleOfAgent;
        this.digest = digest;
        this.empty = empty;
        this.labelled = rules.stream().anyMatch(rule -> !rule.rule().labels().isEmpty());
    }

    /// Compiles the policy of the present revisions of all bundles. An unreadable policy denies everything in its
    /// reach; [BundleResources#problems()] has the reason.
    public static Policy compile(FleetResources resources) {
        List<CompiledRule> rules = resources.bundles().values().stream()
                .flatMap(bundle -> PolicySource.rules(bundle).stream()).toList();
        Map<String, String> bundleOfAgent = new HashMap<>();
        for (BundleResources bundle : resources.bundles().values())
            bundle.agents().keySet().forEach(agent -> bundleOfAgent.putIfAbsent(agent, bundle.name()));
        return new Policy(rules, Defaults.of(resources), Map.copyOf(bundleOfAgent),
                PolicySource.digest(resources),
                resources.bundles().values().stream().noneMatch(PolicySource::speaks));
    }

    /// Decides about one call.
    ///
    /// @param now the time that ends operators' denials
    public PolicyDecision decide(PolicyQuery query, Instant now) {
        Facts facts = facts(query);
        return decide(facts, rules.about(facts), now);
    }

    private PolicyDecision decide(Facts facts, Map<Stage, List<CompiledRule>> about, Instant now) {
        List<StageResult> stages = new ArrayList<>(Stage.values().length);
        boolean ruled = false;
        for (Stage stage : Stage.OF_RULES) {
            Spoken spoken = spoken(about.getOrDefault(stage, List.of()), facts, now);
            stages.add(StageResult.of(stage, spoken.cause()));
            ruled |= spoken.certain();
        }
        boolean transactional = facts.tool().flags().contains(ToolFlag.IS_TRANSACTIONAL);
        stages.add(StageResult.of(Stage.FINANCE_SAFETY, transactional ? TRANSACTIONAL : null));
        stages.add(StageResult.of(Stage.DEFAULT_POLICY, defaults.of(facts)));
        return PolicyDecision.of(stages, ruled, digest);
    }

    /// Judges the shadow rules that apply to a call, each as if it alone were enforced. They take no part in [#decide].
    ///
    /// @param decided the policy's decision about the same question
    /// @return in the order of the stages; empty at no cost when the policy has no shadow rules
    public List<ShadowVerdict> shadows(PolicyQuery query, PolicyDecision decided, Instant now) {
        if (shadows.isEmpty())
            return List.of();
        Facts facts = facts(query);
        Map<Stage, List<CompiledRule>> about = rules.about(facts);
        Verdict verdict = decided.verdict().verdict();
        List<ShadowVerdict> judged = new ArrayList<>();
        shadows.about(facts).values().stream().flatMap(List::stream)
                .filter(rule -> rule.bearing(facts, now) != Bearing.NONE).forEach(rule -> {
                    Verdict would = decide(facts, RuleIndex.with(about, rule), now).verdict().verdict();
                    judged.add(new ShadowVerdict(rule.cause(), would, would != verdict));
                });
        return judged;
    }

    /// Returns every enforced rule of a stage that applies to the call, the stage's deciding one first. For people;
    /// calls are decided without it.
    public List<Cause> matching(Stage stage, PolicyQuery query, Instant now) {
        Facts facts = facts(query);
        return rules.about(facts, stage).stream().filter(rule -> rule.bearing(facts, now) != Bearing.NONE)
                .map(CompiledRule::cause).toList();
    }

    /// Returns every conditional rule, shadow rules too, that applies to the call apart from its arguments and labels, with
    /// the outcome of its conditions. For people. Empty when neither changes a verdict.
    public List<RuleCheck> conditional(PolicyQuery query, Instant now) {
        Facts facts = facts(query);
        return about(facts).filter(rule -> rule.isConditional() && rule.concerns(facts, now))
                .map(rule -> rule.check(facts, now)).toList();
    }

    /// Returns the caller without the ids that no rule names. Each verdict about it is the same as about `caller`.
    public PolicyCaller distinct(PolicyCaller caller) {
        return named.only(caller);
    }

    /// True if labels that the question does not have would bring a rule to bear on the call, shadow rules too. Costs
    /// nothing in a policy without rules about labels.
    public boolean dependsOnMoreLabels(PolicyQuery query, Instant now) {
        if (!labelled)
            return false;
        Facts facts = facts(query);
        return about(facts)
                .anyMatch(rule -> !facts.labels().containsAll(rule.rule().labels()) && rule.concerns(facts, now));
    }

    /// True if a rule, shadow rules too, looks at labels of instances.
    public boolean readsLabels() {
        return labelled;
    }

    /// True if the arguments decide whether a rule counts for the call, shadow rules too.
    public boolean dependsOnArguments(PolicyQuery query, Instant now) {
        Facts facts = facts(query);
        return about(facts).anyMatch(rule -> !rule.rule().when().isEmpty() && rule.concerns(facts, now));
    }

    private Stream<CompiledRule> about(Facts facts) {
        return Stream.of(rules, shadows).flatMap(all -> all.about(facts).values().stream()).flatMap(List::stream);
    }

    /// Returns the policy's name: equal for bundles with the same content, in any order.
    public String digest() {
        return digest;
    }

    /// True if no bundle has a policy or a group and no operator denies a tool, so that only the exports' own flags
    /// count.
    public boolean isEmpty() {
        return empty;
    }

    /// Result of the rules of a stage.
    ///
    /// @param cause of the first rule that counts; null when none does
    /// @param certain true if one of the counting rules certainly applies to the call: only such a rule lifts a denial
    ///        by default
    private record Spoken(@Nullable Cause cause, boolean certain) {
        static final Spoken NOTHING = new Spoken(null, false);
    }

    /// Returns the stage's result. If it requires approval, the terms of all such rules are met. Otherwise: a rule of
    /// higher priority that requires one person hides one that requires two.
    private static Spoken spoken(List<CompiledRule> rules, Facts facts, Instant now) {
        Cause first = null;
        boolean certain = false;
        for (CompiledRule rule : rules) {
            Bearing bearing = rule.bearing(facts, now);
            if (bearing == Bearing.NONE)
                continue;
            certain |= bearing == Bearing.CERTAIN;
            if (first == null)
                first = rule.cause();
            else if (rule.cause().verdict() == Verdict.REQUIRE_APPROVAL)
                first = first.and(rule.cause().approvals());
            if (first.verdict() != Verdict.REQUIRE_APPROVAL)
                return new Spoken(first, certain);
        }
        return first == null ? Spoken.NOTHING : new Spoken(first, certain);
    }

    private Facts facts(PolicyQuery query) {
        String agent = query.caller().agentName();
        return Facts.of(query, agent == null ? null : bundleOfAgent.get(agent));
    }
}
