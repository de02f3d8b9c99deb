package dev.toolfleet.policy;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.bundle.Verdict;

/// Decision of a policy about one call, with the results of its stages.
///
/// @param stages all nine, in order
/// @param policyDigest names the policy
public record PolicyDecision(PolicyVerdict verdict, List<StageResult> stages, String policyDigest) {
    /// Copies the stages.
    public PolicyDecision {
        stages = List.copyOf(stages);
    }

    /// Combines the stages (`docs/policy.md`): a denial of any of them is final. Then comes the safety stage's
    /// approval, then any other approval by rule, then an allowance by rule, then the defaults. A denial by default,
    /// which only a rule lifts, is final for the safety stage too: a flag for more care makes no verdict milder.
    ///
    /// @param ruled true if a rule that certainly applies to the call allows it or requires approval
    static PolicyDecision of(List<StageResult> stages, boolean ruled, String policyDigest) {
        return new PolicyDecision(combine(stages, ruled), stages, policyDigest);
    }

    /// True if the call is denied.
    public boolean denied() {
        return verdict instanceof PolicyVerdict.Denied;
    }

    private static PolicyVerdict combine(List<StageResult> stages, boolean ruled) {
        List<Cause> asking = List.of();
        Cause allowance = null;
        for (StageResult result : stages) {
            Cause cause = result.cause();
            if (cause == null || result.stage() == Stage.DEFAULT_POLICY)
                continue;
            boolean byRule = result.stage() != Stage.FINANCE_SAFETY;
            if (byRule && cause.verdict() == Verdict.DENY)
                return new PolicyVerdict.Denied(cause);
            if (byRule && cause.verdict() == Verdict.ALLOW && allowance == null)
                allowance = cause;
            if (cause.verdict() == Verdict.REQUIRE_APPROVAL)
                asking = byRule ? with(asking, asking.size(), cause) : with(asking, 0, cause);
        }
        Cause byDefault = stages.getLast().said().orElseThrow();
        if (!ruled && byDefault.verdict() == Verdict.DENY)
            return new PolicyVerdict.Denied(byDefault);
        if (!asking.isEmpty())
            return new PolicyVerdict.ApprovalRequired(asking);
        return allowance == null ? byDefault(byDefault) : new PolicyVerdict.Allowed(allowance);
    }

    private static List<Cause> with(List<Cause> causes, int at, Cause cause) {
        List<Cause> all = new ArrayList<>(causes);
        all.add(at, cause);
        return all;
    }

    private static PolicyVerdict byDefault(Cause cause) {
        return switch (cause.verdict()) {
            case DENY -> new PolicyVerdict.Denied(cause);
            case REQUIRE_APPROVAL -> new PolicyVerdict.ApprovalRequired(List.of(cause));
            case ALLOW -> new PolicyVerdict.Allowed(cause);
        };
    }
}
