package dev.toolfleet.bench.micro;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.toolfleet.policy.Policy;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.policy.PolicyQuery;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.policy.PolicyVerdict;
import dev.toolfleet.policy.RuleCheck;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConditionBenchmarkTest {
    private final PolicyQuery query = new PolicyQuery(
            new PolicyTool("bank__transfer", "acme", "config", "finance", Set.of(), null),
            new PolicyCaller("u1", "c1", "teller"), ConditionBenchmark.ARGUMENTS);

    /// Otherwise the first rule that is met would spare the others.
    @Test
    void everyConditionIsLookedAtAndNoneIsMet() {
        Policy policy = ConditionBenchmark.policy(ConditionBenchmark.CONDITIONS, 4);

        assertThat(policy.conditional(query, Instant.EPOCH)).hasSize(4).flatExtracting(RuleCheck::conditions)
                .extracting(RuleCheck.Checked::outcome).containsOnly("not met");
        assertThat(policy.decide(query, Instant.EPOCH).verdict()).isInstanceOf(PolicyVerdict.Allowed.class);
        assertThat(ConditionBenchmark.policy(List.of(ConditionBenchmark.PATTERN), 1).conditional(query, Instant.EPOCH))
                .flatExtracting(RuleCheck::conditions).extracting(RuleCheck.Checked::outcome)
                .containsExactly("not met");
    }
}
