package dev.toolfleet.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.policy.CompiledRule.Bearing;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import org.jspecify.annotations.Nullable;

/// Everything that the bundles say about who may call what, compiled. Immutable; any thread may ask.
///
/// A rule holds for calls by agents of its bundle and for calls of its bundle's Tools; outside, and then only if it
/// denies or asks, when its policy reaches the fleet, or when nobody declares the calling agent (decision 0024).
public final class Policy {
    private static final Cause TRANSACTIONAL = new Cause(Stage.FINANCE_SAFETY, Verdict.REQUIRE_APPROVAL,
            "finance-safety/isTransactional",
            "The tool moves money or goods (isTransactional), so a person approves each call.");

    private final RuleIndex rules;
    private final Defaults defaults;
    private final Map<String, String> bundleOfAgent;
    private final String digest;
    private final boolean empty;

    private Policy(RuleIndex rules, Defaults defaults, Map<String, String> bundleOfAgent,
            String digest, boolean empty) {
        this.rules = rules;
        this.defaults = defaults;
        this.bundleOfAgent = bundleOfAgent;
        this.digest = digest;
        this.empty = empty;
    }

    /// The policy of the present revisions of all bundles. What cannot be read denies everything in its reach; each
    /// bundle's [BundleResources#problems()] say why.
    public static Policy compile(FleetResources resources) {
        List<CompiledRule> rules = resources.bundles().values().stream()
                .flatMap(bundle -> PolicySource.rules(bundle).stream()).toList();
        Map<String, String> bundleOfAgent = new HashMap<>();
        for (BundleResources bundle : resources.bundles().values())
            bundle.agents().keySet().forEach(agent -> bundleOfAgent.putIfAbsent(agent, bundle.name()));
        return new Policy(new RuleIndex(rules), Defaults.of(resources), Map.copyOf(bundleOfAgent),
                PolicySource.digest(resources),
                resources.bundles().values().stream().noneMatch(PolicySource::speaks));
    }

    /// Decides about one call.
    ///
    /// @param now by which what operators have switched off ends
    public PolicyDecision decide(PolicyQuery query, Instant now) {
        Facts facts = facts(query);
        List<StageResult> stages = new ArrayList<>(Stage.values().length);
        Map<Stage, List<CompiledRule>> about = rules.about(facts);
        boolean ruled = false;
        for (Stage stage : Stage.OF_RULES) {
            Spoken spoken = spoken(about.getOrDefault(stage, List.of()), facts, now);
            stages.add(StageResult.of(stage, spoken.cause()));
            ruled |= spoken.certain();
        }
        boolean transactional = query.tool().flags().contains(ToolFlag.IS_TRANSACTIONAL);
        stages.add(StageResult.of(Stage.FINANCE_SAFETY, transactional ? TRANSACTIONAL : null));
        stages.add(StageResult.of(Stage.DEFAULT_POLICY, defaults.of(facts)));
        return PolicyDecision.of(stages, ruled, digest);
    }

    /// Every rule of a stage that is about the call, the one that speaks for the stage first. For people; calls are
    /// decided without it.
    public List<Cause> matching(Stage stage, PolicyQuery query, Instant now) {
        Facts facts = facts(query);
        return rules.about(facts, stage).stream().filter(rule -> rule.bearing(facts, now) != Bearing.NONE)
                .map(CompiledRule::cause).toList();
    }

    /// Every rule with conditions that is about the call but for its arguments, with what comes of its conditions. For
    /// people.
    public List<RuleCheck> conditional(PolicyQuery query, Instant now) {
        Facts facts = facts(query);
        return rules.about(facts).values().stream().flatMap(List::stream)
                .filter(rule -> !rule.rule().when().isEmpty() && rule.concerns(facts, now))
                .map(rule -> rule.check(facts, now)).toList();
    }

    /// Names the policy: equal for bundles that say the same, in whatever order.
    public String digest() {
        return digest;
    }

    /// Whether no bundle holds a policy or a group and nothing was switched off, so that only the exports' own flags count.
    public boolean isEmpty() {
        return empty;
    }

    /// What the rules of a stage say.
    ///
    /// @param cause of the first rule that counts; null when none does
    /// @param certain whether one of those that count is about the call without doubt: only such a rule lifts a denial
    /// by default
    private record Spoken(@Nullable Cause cause, boolean certain) {
        static final Spoken NOTHING = new Spoken(null, false);
    }

    /// The rule that speaks for the stage. Where it asks for approval, the terms of all rules that ask are met. Otherwise:
    /// a rule of higher priority that wants one person hides one that wants two.
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
