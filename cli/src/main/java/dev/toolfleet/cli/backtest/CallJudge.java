package dev.toolfleet.cli.backtest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.cli.backtest.PastVerdict.Judged;
import dev.toolfleet.cli.backtest.PastVerdict.NotJudged;
import dev.toolfleet.cli.backtest.PastVerdict.Reason;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.policy.PolicyDecision;
import dev.toolfleet.policy.PolicyQuery;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.policy.ShadowVerdict;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.DecodedCall;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Judge of past calls under two policies, without side effects.
///
/// **Contract.** Where arguments matter to neither policy, calls of one tool by one caller with the same labels are judged
/// once. Callers that no rule distinguishes are one caller. Otherwise the call's own arguments are read and judged.
///
/// **Threads.** One thread.
final class CallJudge {
    /// The most remembered verdicts; then they are forgotten together.
    private static final int MOST_KNOWN = 50_000;

    private final PolicyPair policies;
    private final String shadowRules;
    private final CalledTools before;
    private final CalledTools after;
    private final Map<Asked, Known> known = new HashMap<>();

    private record Asked(String tool, PolicyCaller caller, PastLabels labels) {}

    /// Verdict about a tool, a caller and labels, as far as it is known without arguments.
    private sealed interface Known {
        record Always(PastVerdict verdict) implements Known {}

        record ByArguments(PolicyTool before, PolicyTool after) implements Known {}
    }

    CallJudge(PolicyPair policies) {
        this.policies = policies;
        shadowRules = policies.bundle() + "/";
        before = new CalledTools(policies.before());
        after = new CalledTools(policies.after());
    }

    /// Judges a call.
    ///
    /// @param labels of its instance; none where no rule looks at labels
    /// @param value of its record, from which its arguments are read when they matter
    PastVerdict judge(PastCall call, PastLabels labels, byte @Nullable [] value) {
        Asked asked = new Asked(call.name(),
                policies.distinct(new PolicyCaller(call.userId(), call.channelId(), call.agentName())),
                labels);
        Known found = known.get(asked);
        if (found == null) {
            found = look(asked);
            if (known.size() >= MOST_KNOWN)
                known.clear();
            known.put(asked, found);
        }
        return switch (found) {
            case Known.Always(PastVerdict verdict) -> verdict;
            case Known.ByArguments(PolicyTool was, PolicyTool is) -> switch (CallDecoder.decode(null, value)) {
                case DecodedCall.Valid(var decoded) -> decide(was, is, asked, decoded.args());
                case DecodedCall.Malformed _ -> new NotJudged(Reason.MALFORMED);
            };
        };
    }

    private Known look(Asked asked) {
        PolicyTool was = before.find(asked.caller().agentName(), asked.tool());
        PolicyTool is = after.find(asked.caller().agentName(), asked.tool());
        if (was == null || is == null)
            return new Known.Always(new NotJudged(was == null ? Reason.UNKNOWN : Reason.GONE));
        boolean byArguments = policies.policyBefore()
                .dependsOnArguments(PolicyQuery.ofStep(was, asked.caller()), policies.now())
                || policies.policyAfter().dependsOnArguments(PolicyQuery.ofStep(is, asked.caller()), policies.now());
        return byArguments
                ? new Known.ByArguments(was, is)
                : new Known.Always(decide(was, is, asked, null));
    }

    private Judged decide(PolicyTool was, PolicyTool is, Asked asked, @Nullable JsonNode arguments) {
        PolicyDecision old = policies.policyBefore().decide(
                new PolicyQuery(was, asked.caller(), arguments, asked.labels().before()), policies.now());
        PolicyQuery query = new PolicyQuery(is, asked.caller(), arguments, asked.labels().after());
        PolicyDecision now = policies.policyAfter().decide(query, policies.now());
        Verdict verdictBefore = old.verdict().verdict();
        Verdict verdictAfter = now.verdict().verdict();
        List<Difference> differences = new ArrayList<>();
        Finding.between(verdictBefore, verdictAfter).ifPresent(change -> differences.add(new Difference(change,
                verdictBefore, old.verdict().cause().rule(), verdictAfter, now.verdict().cause())));
        for (ShadowVerdict shadow : policies.policyAfter().shadows(query, now, policies.now())) {
            if (shadow.changes() && shadow.cause().rule().startsWith(shadowRules))
                differences.add(new Difference(Finding.would(shadow.would()), verdictAfter,
                        now.verdict().cause().rule(), shadow.would(), shadow.cause()));
        }
        return new Judged(verdictBefore, verdictAfter, List.copyOf(differences));
    }
}
