package dev.toolfleet.worker.record;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.error.ErrorText;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.policy.Cause;
import dev.toolfleet.policy.PolicyDecision;
import dev.toolfleet.policy.PolicyVerdict;
import dev.toolfleet.policy.ShadowVerdict;
import dev.toolfleet.policy.Stage;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.AuditedCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.call.TestCalls;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.policy.Ruling;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.CallMeters;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class AuditRecordsTest extends OutcomeRecordsFixture {
    private static final ToolReply OK = new ToolReply.Ok(StringNode.valueOf("done"));
    private static final ToolReply PENDING = new ToolReply.Pending("h1", StringNode.valueOf("started"), null, null);

    private final RegisteredTool sensitive = TestResources.sensitive();

    @Test
    void anAllowedCallOfAToolWithSensitiveDataLeavesATrace() {
        Outcome outcome = of(started(run(), sensitive, new Ruling.Allowed(Ruling.Basis.NONE)), OK);

        assertThat(events(outcome)).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(AuditEvent.Kind.VERDICT);
            assertThat(event.action()).isEqualTo("allowed");
            assertThat(event.sensitive()).isTrue();
            assertThat(event.call()).satisfies(call -> assertThat(call.toolCallId()).isEqualTo("c1"));
        });
        assertThat(outcome.records()).noneSatisfy(
                record -> assertThat(new String(record.value(), UTF_8)).contains("secret"));
    }

    @Test
    @DisplayName("X-09: an audit record joins by call, policy, catalog and trace")
    void anAuditRecordNamesCallPolicyCatalogAndTrace() {
        ToolCall call = new ToolCall("c1", "t__x", JsonNodeFactory.instance.objectNode(), "i", "coder", "t1", "s1", 1,
                "4bf92f3577b34da6a3ce929d0e0e4736", null, null, null, null, null, null);
        Identified run = Identified.of(IdentifiedCall.of(new Arrival.Call(new Position(3, 7, 42), call, 0, null, 100)),
                NOW.toEpochMilli());
        PolicyDecision decision = new PolicyDecision(new PolicyVerdict.Allowed(
                new Cause(Stage.GLOBAL_DENY, Verdict.ALLOW, "ops/p/r", "fine")), List.of(), "sha256:policy");

        CallFacts.Judged judged = new CallFacts.Judged(run.recalledBy(null), null, "sha256:catalog", "sha256:policy",
                ErrorText.DEFAULT_LIMIT);
        CallFacts ruled = new CallFacts.Ruled(judged, new Ruling.Allowed(new Ruling.Basis(decision, true))).of(
                sensitive,
                new ToolRef("acme", "t", "run"));

        assertThat(events(of(ruled, OK)))
                .singleElement().satisfies(event -> {
                    assertThat(event.policyDigest()).isEqualTo("sha256:policy");
                    AuditedCall audited = requireNonNull(event.call());
                    assertThat(audited.toolCallId()).isEqualTo("c1");
                    assertThat(audited.catalogDigest()).isEqualTo("sha256:catalog");
                    assertThat(audited.traceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
                });
    }

    @Test
    void anAllowedCallOfAnotherToolLeavesNone() {
        assertThat(events(of(started(run(), TestResources.registered(true), new Ruling.Allowed(Ruling.Basis.NONE)),
                OK))).isEmpty();
    }

    @Test
    void aCallThatAnEarlierOwnerRanLeavesATraceWithItsResult() {
        Recalled recovered = run().recalledBy(null).of(sensitive, new ToolRef("acme", "t", "run"));

        assertThat(events(of(recovered, OK))).extracting(AuditEvent::action).containsExactly("allowed");
    }

    // Otherwise: its call is counted twice by whoever counts accesses.
    @Test
    void theEndOfAHandleIsNoSecondCall() {
        Outcome begun = of(started(run(), sensitive, new Ruling.Allowed(Ruling.Basis.NONE)), PENDING);
        Recalled ended = Identified.of(run().call(), Position.resumed(3, 7, 12), NOW.toEpochMilli())
                .recalledBy(null).of(sensitive, new ToolRef("acme", "t", "run"));

        assertThat(events(begun)).singleElement().satisfies(event -> {
            assertThat(event.action()).isEqualTo("allowed");
            assertThat(event.handle()).isEqualTo("h1");
        });
        assertThat(events(of(ended, OK))).isEmpty();
    }

    @Test
    void anApprovedCallThatNothingAsksAboutAnyMoreIsAllowed() {
        Identified granted = TestCalls.granted(Arrival.Granted.of(Position.resumed(3, 7, 12),
                new ResumedCall(run().call().arrival().call(), 42,
                        new ResumedCall.Grant("h", "sha256:0", "r", null, null, null, "ann", NOW), null, null, null),
                10, () -> {}), NOW.toEpochMilli());

        Outcome outcome = of(started(granted, sensitive, new Ruling.Allowed(Ruling.Basis.NONE)), OK);

        assertThat(events(outcome)).singleElement().satisfies(event -> {
            assertThat(event.action()).isEqualTo("allowed");
            assertThat(event.handle()).isEqualTo("h");
        });
    }

    @Test
    void aCallThatAPersonIsNotAskedAboutIsNotAllowed() {
        Ruling asked = new Ruling.Asked(Ruling.Basis.NONE,
                List.of(new Cause(Stage.FINANCE_SAFETY, Verdict.REQUIRE_APPROVAL, "rule", "because")));
        ToolReply tooMany = new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_RATE_LIMITED, "Too many wait."));

        assertThat(events(of(started(run(), sensitive, asked), tooMany))).isEmpty();
    }

    @Test
    void aCallThatNeverReachedItsToolIsNotAllowed() {
        CallFacts invalid = new CallFacts.Ruled(TestCalls.judged(run()),
                new Ruling.Allowed(new Ruling.Basis(null, true)));

        assertThat(events(of(invalid,
                new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_INVALID_ARGS, "No."))))).isEmpty();
    }

    @Test
    void aShadowRuleThatWouldHaveChangedTheVerdictLeavesATraceBesideTheOther() {
        Ruling denied = new Ruling.Denied(shadowed(Verdict.ALLOW), ToolError.of(ErrorCode.E_TOOL_DENIED, "No."));
        Ruling allowed = new Ruling.Allowed(shadowed(Verdict.DENY, Verdict.REQUIRE_APPROVAL));

        assertThat(events(of(started(run(), sensitive, denied), new ToolReply.Failed(
                ToolError.of(ErrorCode.E_TOOL_DENIED, "No."))))).extracting(AuditEvent::action)
                .containsExactly("denied", "shadow-allowed");
        Outcome outcome = of(started(run(), TestResources.registered(true), allowed), OK);
        assertThat(events(outcome)).extracting(AuditEvent::action).containsExactly("shadow-denied", "shadow-approval");
        assertThat(events(outcome).getFirst()).satisfies(event -> {
            assertThat(event.kind()).isEqualTo(AuditEvent.Kind.VERDICT);
            assertThat(event.rule()).isEqualTo("ops/p/DENY");
            assertThat(event.reason()).isEqualTo("because");
            assertThat(requireNonNull(event.call()).toolCallId()).isEqualTo("c1");
        });
        outcome.sequel().committed(10, 0);
        assertThat(registry.get(CallMeters.SHADOWED).tags(CallMeters.RULE, "ops/p/DENY", CallMeters.VERDICT, "deny")
                .counter().count()).isEqualTo(1);
    }

    @Test
    void oneCallLeavesABoundedNumberOfShadowEvents() {
        Verdict[] many = new Verdict[AuditRecords.MOST_SHADOWS + 5];
        Arrays.fill(many, Verdict.DENY);

        assertThat(events(of(started(run(), TestResources.registered(true), new Ruling.Allowed(shadowed(many))), OK)))
                .hasSize(AuditRecords.MOST_SHADOWS);
    }

    // Otherwise: a call that waited for a person is counted twice.
    @Test
    void theRunOfAnApprovedCallLeavesNoSecondShadowEvent() {
        Identified granted = TestCalls.granted(Arrival.Granted.of(Position.resumed(3, 7, 12),
                new ResumedCall(run().call().arrival().call(), 42,
                        new ResumedCall.Grant("h", "sha256:0", "r", null, null, null, "ann", NOW), null, null, null),
                10, () -> {}), NOW.toEpochMilli());

        assertThat(events(of(started(granted, TestResources.registered(true),
                new Ruling.Allowed(shadowed(Verdict.DENY))), OK))).isEmpty();
    }

    private static Ruling.Basis shadowed(Verdict... would) {
        return new Ruling.Basis(null, false, Stream.of(would).map(verdict -> new ShadowVerdict(
                new Cause(Stage.TOOL_POLICY, verdict, "ops/p/" + verdict, "because"), verdict, true)).toList(),
                List.of());
    }

    private static CallFacts started(Identified run, RegisteredTool tool, Ruling ruling) {
        return new CallFacts.Ruled(TestCalls.judged(run), ruling).of(tool, new ToolRef("acme", "t", "run"));
    }

    private Outcome of(CallFacts run, ToolReply reply) {
        return outcomes.of(run, reply, new Guarded(reply, null));
    }

    private static List<AuditEvent> events(Outcome outcome) {
        return outcome.records().stream().filter(record -> record.topic().endsWith("tool.audit"))
                .map(record -> WireCodec.of(AuditEvent.class).read(record.value())).toList();
    }
}
