package dev.toolfleet.bench.micro;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.json.Json;
import dev.toolfleet.policy.Policy;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.policy.PolicyDecision;
import dev.toolfleet.policy.PolicyQuery;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Cost of conditions on arguments: a decision about one call under four rules, which look at no argument, at one each,
/// and at one more by a pattern. None of the rules is met, so each is looked at.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ConditionBenchmark {
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    /// Not met by [#ARGUMENTS].
    static final List<String> CONDITIONS = List.of("{\"path\": \"/amount\", \"greaterThan\": 1000}",
            "{\"path\": \"/to/account\", \"in\": [\"110-1\", \"110-2\", \"110-3\"]}",
            "{\"path\": \"/to/bank\", \"glob\": \"KR-*-test\"}", "{\"path\": \"/schedule\", \"exists\": true}");
    static final String PATTERN = "{\"path\": \"/memo\", \"matches\": \"(?i).*(refund|gift).*\"}";
    static final JsonNode ARGUMENTS = Json.MAPPER.readTree("""
            {"amount": 500, "to": {"account": "110-999-123456", "bank": "KR-88"},
             "memo": "rent of November, flat 12"}""");

    private final PolicyQuery query = new PolicyQuery(
            new PolicyTool("bank__transfer", "acme", "config", "finance", Set.of(), "java:com.acme.Bank"),
            new PolicyCaller("u1", "c1", "teller"), ARGUMENTS);
    private final Policy without = policy(List.of(), 4);
    private final Policy with = policy(CONDITIONS, 4);
    private final Policy withPattern = policy(List.of(PATTERN), 1);

    /// A policy of denials for other callers, or of denials with conditions, which are all looked at.
    ///
    /// @param conditions one for each rule; none for rules about a user who does not call
    static Policy policy(List<String> conditions, int rules) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", Kinds.TOOLFLEET_V1).put("kind",
                Kinds.TOOL_POLICY);
        resource.putObject("metadata").put("name", "p");
        ArrayNode list = resource.putObject("spec").putArray("rules");
        for (int i = 0; i < rules; i++) {
            ObjectNode rule = list.addObject().put("id", "r" + i).put("tool", "bank__*").put("verdict", "deny");
            if (conditions.isEmpty())
                rule.putObject("scope").put("channelId", "other" + i);
            else
                rule.putObject("when").putArray("args").add(Json.MAPPER.readTree(conditions.get(i)));
        }
        ResourceTable table = new ResourceTable();
        RevisionPlan.of("acme", List.of(new RevisionPlan.Declared(resource, Map.of())), table).entries()
                .forEach(entry -> table.apply(entry.key(), entry.value()));
        return Policy.compile(table.view());
    }

    /// Four rules about other channels.
    @Benchmark
    public PolicyDecision without() {
        return without.decide(query, NOW);
    }

    /// Four rules with a condition each: a number, a list, a glob, an existence.
    @Benchmark
    public PolicyDecision with() {
        return with.decide(query, NOW);
    }

    /// One rule with a pattern of RE2 over a text of 25 characters.
    @Benchmark
    public PolicyDecision withPattern() {
        return withPattern.decide(query, NOW);
    }
}
