package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.policy.Cause;
import dev.toolfleet.policy.Stage;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.TestCalls;
import dev.toolfleet.worker.execute.OperandInquiry.Found;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.policy.PolicyGate;
import dev.toolfleet.worker.policy.Ruling;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/// What an approval is good for, whatever the arguments and the rules are.
class ApprovalPropertyTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final PolicyStage stage = new PolicyStage(PolicyGate.OPEN, Duration.ofMinutes(5), 20, () -> "h-1",
            InstantSource.fixed(NOW));

    private @Nullable ToolReply ask(Identified run, ToolCall call, Ruling ruling) {
        return stage.ask(new CallFacts.Ruled(TestCalls.judged(run), ruling), call, () -> new Found.Known(List.of()));
    }

    @Property(seed = "41", tries = 1_000)
    void anApprovalIsNeverSatisfiedByOtherArgumentsOrRulesThatNobodyAnswered(
            @ForAll("arguments") Map<String, Object> approved, @ForAll("arguments") Map<String, Object> called,
            @ForAll("rules") Set<String> answered, @ForAll("rules") Set<String> asking) {
        ToolReply reply = ask(granted(call(approved), answered), call(called), asked(asking));

        boolean same = Json.MAPPER.valueToTree(approved).equals(Json.MAPPER.valueToTree(called));
        if (same && answered.containsAll(asking))
            assertThat(reply).as("goes on").isNull();
        else
            assertThat(reply).as("asked anew").isInstanceOf(ToolReply.Pending.class);
    }

    /// Few of each, so that equal ones are met as often as others.
    @Provide
    static Arbitrary<Map<String, Object>> arguments() {
        Arbitrary<Object> values = Arbitraries.of(1, 2, "1", "", true, List.of(1), Map.of("b", 1));
        return Arbitraries.maps(Arbitraries.of("a", "A", "b"), values).ofMaxSize(2);
    }

    @Provide
    static Arbitrary<Set<String>> rules() {
        return Arbitraries.of("r", "R", "s").set().ofMinSize(1).ofMaxSize(3);
    }

    private static ToolCall call(Map<String, Object> args) {
        return ToolCall.of("c1", "bank__pay", Json.MAPPER.valueToTree(args), "i").inStep("coder", "t", "s", 0);
    }

    private static Ruling asked(Set<String> rules) {
        return new Ruling.Asked(Ruling.Basis.NONE, new TreeSet<>(rules).stream()
                .map(rule -> new Cause(Stage.TOOL_POLICY, Verdict.REQUIRE_APPROVAL, rule, "why")).toList());
    }

    private static Identified granted(ToolCall approved, Set<String> rules) {
        PendingCall pending = new PendingCall("h-0", PendingCall.Kind.APPROVAL, approved, 3, 42, null, null,
                NOW.plusSeconds(60), null, null, NOW, null);
        ResumedCall.Grant grant = new ResumedCall.Grant("h-0", Fingerprint.of(approved.name(), approved.args()),
                rules.iterator().next(), List.copyOf(rules), null, null, "ann", NOW);
        return TestCalls.granted(
                Arrival.Granted.of(Position.resumed(3, 7, 12), ResumedCall.approved(pending, grant), 10, () -> {}),
                NOW.toEpochMilli());
    }
}
