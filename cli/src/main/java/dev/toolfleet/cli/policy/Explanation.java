package dev.toolfleet.cli.policy;

import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bundle.ApprovalTerms;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.policy.Cause;
import dev.toolfleet.policy.Policy;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.policy.PolicyDecision;
import dev.toolfleet.policy.PolicyQuery;
import dev.toolfleet.policy.PolicyVerdict;
import dev.toolfleet.policy.RuleCheck;
import dev.toolfleet.policy.ShadowVerdict;
import dev.toolfleet.policy.Stage;
import dev.toolfleet.policy.StageResult;
import dev.toolfleet.resources.FleetResources;

/// A decision, and all that took part in it.
///
/// @param also by stage, the rules that are about the call too, and did not speak for their stage
/// @param conditional rules whose conditions look at the arguments, with what comes of them
/// @param shadows shadow rules that apply to the call, in the order of the stages
/// @param switchedOff by an operator, when that decided
record Explanation(PolicyQuery query, PolicyDecision decision, Map<Stage, List<Cause>> also,
        List<RuleCheck> conditional, List<ShadowVerdict> shadows,
        Optional<OperatorDenial> switchedOff) {
    static Explanation of(FleetResources resources, PolicyQuery query, Instant now) {
        Policy policy = Policy.compile(resources);
        PolicyDecision decision = policy.decide(query, now);
        Map<Stage, List<Cause>> also = new EnumMap<>(Stage.class);
        for (StageResult result : decision.stages()) {
            List<Cause> matching = policy.matching(result.stage(), query, now);
            also.put(result.stage(), matching.stream().skip(1).toList());
        }
        String rule = decision.verdict().cause().rule();
        return new Explanation(query, decision, also, policy.conditional(query, now),
                policy.shadows(query, decision, now), resources.denials().stream()
                        .filter(denial -> OperatorDenial.rule(denial.name()).equals(rule)).findFirst());
    }

    Cause cause() {
        return decision.verdict().cause();
    }

    /// Terms that meet every rule that wants an approval; one approval where none does.
    ApprovalTerms approvals() {
        return decision.verdict() instanceof PolicyVerdict.ApprovalRequired(List<Cause> asking)
                ? asking.stream().map(Cause::approvals).reduce(ApprovalTerms.ONE, ApprovalTerms::and)
                : ApprovalTerms.ONE;
    }

    PolicyCaller caller() {
        return query.caller();
    }

    /// Why this cause decided and none of the others, in one or two sentences.
    String why() {
        if (switchedOff.isPresent())
            return "An operator switched it off at " + switchedOff.get().since() + ", for everybody. It ends by itself"
                    + " at " + switchedOff.get().until() + ", or now with: toolfleet policy lift '"
                    + switchedOff.get().name() + "'";
        boolean byDefault = cause().stage() == Stage.DEFAULT_POLICY;
        return switch (decision.verdict()) {
            case PolicyVerdict.Denied _ when byDefault ->
                "No rule is about the call, so the default counts; a rule that says allow would lift it.";
            case PolicyVerdict.Denied _ -> "A denial by a rule is final, whatever else allows the call.";
            case PolicyVerdict.ApprovalRequired _ when cause().stage() == Stage.FINANCE_SAFETY ->
                "No rule lifts this, only a person's approval of each call.";
            case PolicyVerdict.ApprovalRequired _ when byDefault ->
                "No rule is about the call, so the default counts; a rule that says allow would lift it.";
            case PolicyVerdict.ApprovalRequired _ -> "Nothing denies the call; an approval that a rule demands beats"
                    + " every allow.";
            case PolicyVerdict.Allowed _ when byDefault -> "No rule is about the call, and the default allows it.";
            case PolicyVerdict.Allowed _ -> "No rule denies the call or asks for approval, so the allow counts"
                    + (byDefaultAllowed() ? "." : ", and lifts the default.");
        };
    }

    private boolean byDefaultAllowed() {
        return decision.stages().getLast().said().map(Cause::verdict).filter(Verdict.ALLOW::equals).isPresent();
    }
}
