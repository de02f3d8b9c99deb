package dev.toolfleet.bench.micro;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.policy.Policy;
import dev.toolfleet.policy.PolicyDecision;
import dev.toolfleet.policy.PolicyQuery;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.resources.FleetResources;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Cost of a decision under a policy of 500 rules.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PolicyBenchmark {
    private static final int RULES = 500;
    private static final long SEED = 17;
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    /// More than a policy remembers.
    private static final int MANY_TOOLS = 5000;

    private FleetResources resources = FleetResources.EMPTY;
    private List<PolicyQuery> queries = List.of();
    private Policy policy = Policy.compile(resources);
    private Policy full = policy;
    private int next;

    /// Makes the policy and the questions.
    @Setup
    public void policy() {
        ManyRules load = new ManyRules(RULES, SEED);
        resources = load.resources();
        queries = load.queries(1024);
        policy = Policy.compile(resources);
        // One that has seen too many tools to remember another.
        full = Policy.compile(resources);
        for (int i = 0; i < MANY_TOOLS; i++)
            full.decide(PolicyQuery.ofStep(new PolicyTool("seen__t" + i, "acme", "config", null, Set.of(), null),
                    queries.getFirst().caller()), NOW);
    }

    /// A call of a tool that was called before.
    @Benchmark
    public PolicyDecision decide() {
        return policy.decide(query(), NOW);
    }

    /// A call of a tool that was never called.
    @Benchmark
    public PolicyDecision decideUnseen() {
        return full.decide(query(), NOW);
    }

    /// A new revision of a bundle.
    @Benchmark
    public Policy compile() {
        return Policy.compile(resources);
    }

    private PolicyQuery query() {
        next = (next + 1) % queries.size();
        return queries.get(next);
    }
}
