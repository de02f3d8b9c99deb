package dev.toolfleet.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.Verdict;

/// What a policy decided about one call, and how it came to it.
///
/// @param stages all nine, in order
/// @param policyDigest names the policy
public record PolicyDecision(PolicyVerdict verdict, List<StageResult> stages, String policyDigest) {
    /// Copies the stages.
    public PolicyDecision {
        stages = List.copyOf(stages);
    }

    /// How the stages combine (DESIGN 8): a denial of any of them is final; then the safety stage's approval, then any
    /// other approval by rule, then an allowance by rule, then the defaults. A denial by default, which only a rule lifts,
    /// is final for the safety stage too: a flag that asks for more care makes no verdict milder.
    static PolicyDecision of(List<StageResult> stages, String policyDigest) {
        return new PolicyDecision(combine(stages), stages, policyDigest);
    }

    /// Whether it is refused.
    public boolean denied() {
        return verdict instanceof PolicyVerdict.Denied;
    }

    private static PolicyVerdict combine(List<StageResult> stages) {
        Optional<Cause> denial = byRule(stages, Verdict.DENY).stream().findFirst();
        if (denial.isPresent())
            return new PolicyVerdict.Denied(denial.get());
        List<Cause> asking = stages.stream().filter(result -> result.stage() == Stage.FINANCE_SAFETY)
                .flatMap(result -> result.said().stream()).collect(Collectors.toCollection(ArrayList::new));
        List<Cause> approvals = byRule(stages, Verdict.REQUIRE_APPROVAL);
        List<Cause> allowances = byRule(stages, Verdict.ALLOW);
        Cause byDefault = stages.getLast().said().orElseThrow();
        if (approvals.isEmpty() && allowances.isEmpty() && byDefault.verdict() == Verdict.DENY)
            return new PolicyVerdict.Denied(byDefault);
        asking.addAll(approvals);
        if (!asking.isEmpty())
            return new PolicyVerdict.ApprovalRequired(asking);
        return allowances.stream().findFirst().<PolicyVerdict>map(PolicyVerdict.Allowed::new)
                .orElseGet(() -> byDefault(byDefault));
    }

    private static PolicyVerdict byDefault(Cause cause) {
        return switch (cause.verdict()) {
            case DENY -> new PolicyVerdict.Denied(cause);
            case REQUIRE_APPROVAL -> new PolicyVerdict.ApprovalRequired(List.of(cause));
            case ALLOW -> new PolicyVerdict.Allowed(cause);
        };
    }

    private static List<Cause> byRule(List<StageResult> stages, Verdict verdict) {
        List<Cause> causes = new ArrayList<>(2);
        for (StageResult result : stages) {
            Cause cause = result.cause();
            if (cause != null && cause.verdict() == verdict && Stage.OF_RULES.contains(result.stage()))
                causes.add(cause);
        }
        return causes;
    }
}
