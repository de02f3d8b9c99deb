package dev.toolfleet.worker.pipeline;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.bundle.ApprovalTerms;
import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.policy.Cause;
import dev.toolfleet.policy.Stage;
import dev.toolfleet.tool.Operand;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.BoundOperand;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts.Judged;
import dev.toolfleet.worker.call.CallFacts.Ruled;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.call.TestCalls;
import dev.toolfleet.worker.execute.OperandInquiry.Found;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.policy.PolicyGate;
import dev.toolfleet.worker.policy.Ruling;
import dev.toolfleet.worker.record.GuardStage;
import dev.toolfleet.worker.record.PendingRecords;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

/// An approval is good for one call, these arguments and these rules. FinClaw's were decorative (0.3): a call ran
/// whatever a person said.
class PolicyStageTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final ToolCall CALL = ToolCall.of("c1", "bank__pay", Json.MAPPER.createObjectNode().put("n", 1),
            "i").inStep("coder", "t", "s", 0);
    private static final Arrival.Call ARRIVAL = new Arrival.Call(new Position(3, 7, 42), CALL, NOW.toEpochMilli(), null,
            10);

    private final PolicyStage stage = new PolicyStage(PolicyGate.OPEN, Duration.ofMinutes(5), 20, () -> "h-1",
            InstantSource.fixed(NOW));

    private @Nullable ToolReply ask(Identified run, ToolCall call, Ruling ruling, Operand... files) {
        return ask(TestCalls.judged(run), call, ruling, files);
    }

    private @Nullable ToolReply ask(Judged run, ToolCall call, Ruling ruling, Operand... files) {
        return stage.ask(run.reached(new Ruled(run, ruling)), call, () -> new Found.Known(List.of(files)));
    }

    private static Ruling asked(String... rules) {
        return new Ruling.Asked(Ruling.Basis.NONE, Stream.of(rules)
                .map(rule -> new Cause(Stage.TOOL_POLICY, Verdict.REQUIRE_APPROVAL, rule, "why " + rule)).toList());
    }

    private static Identified first() {
        return Identified.of(IdentifiedCall.of(ARRIVAL), NOW.toEpochMilli());
    }

    private static Operand script(String text) {
        return Operand.of("deploy.sh", text.getBytes(StandardCharsets.UTF_8));
    }

    private static Identified granted(ToolCall approved, String... rules) {
        return granted(approved, List.of(rules));
    }

    private static Identified granted(ToolCall approved, List<String> rules, Operand... seen) {
        PendingCall pending = new PendingCall("h-0", PendingCall.Kind.APPROVAL, CALL, 3, 42, null, null,
                NOW.plusSeconds(60), null, null, NOW, new CallOrigin("sha256:" + "ab".repeat(32), 1, null, NOW, null));
        ResumedCall.Grant grant = new ResumedCall.Grant("h-0", Fingerprint.of(approved.name(), approved.args()),
                rules.getFirst(), rules, null, null, "ann", NOW, Stream.of(seen)
                        .map(file -> new BoundOperand(file.name(), file.size(), file.digest())).toList());
        return TestCalls.granted(
                Arrival.Granted.of(Position.resumed(3, 7, 12), ResumedCall.approved(pending, grant), 10, () -> {}),
                NOW.toEpochMilli());
    }

    private static ToolCall with(int n) {
        return CALL.with(Json.MAPPER.createObjectNode().put("n", n), null);
    }

    private static Ruling asked(ApprovalTerms... terms) {
        return new Ruling.Asked(Ruling.Basis.NONE, Stream.of(terms)
                .map(each -> new Cause(Stage.TOOL_POLICY, Verdict.REQUIRE_APPROVAL, "a", "why", each)).toList());
    }

    private static Identified grantedBy(String... people) {
        ToolCall call = forUser("u1");
        PendingCall pending = new PendingCall("h-0", PendingCall.Kind.APPROVAL, call, 3, 42, null, null,
                NOW.plusSeconds(60), null, null, NOW, new CallOrigin("sha256:" + "ab".repeat(32), 1, null, NOW, null));
        ResumedCall.Grant grant = new ResumedCall.Grant("h-0", Fingerprint.of(call.name(), call.args()), "a", null,
                null, null, people.length == 0 ? null : people[people.length - 1], NOW, null,
                people.length < 2 ? null : List.of(people));
        return TestCalls.granted(
                Arrival.Granted.of(Position.resumed(3, 7, 12), ResumedCall.approved(pending, grant), 10, () -> {}),
                NOW.toEpochMilli());
    }

    private static ToolCall forUser(String user) {
        return new ToolCall("c1", "bank__pay", CALL.args(), "i", "coder", "t", "s", 0, null, user, null, null, null,
                null, null);
    }

    @Test
    void aQuestionNamesTheStrictestTermsOfAllThatAsk() {
        Identified run = Identified.of(IdentifiedCall.of(new Arrival.Call(new Position(3, 7, 42), forUser("u1"),
                NOW.toEpochMilli(), null, 10)), NOW.toEpochMilli());

        ToolReply reply = ask(run, forUser("another by a middleware"), asked(new ApprovalTerms(3, false),
                new ApprovalTerms(2, true)));

        Approval approval = requireNonNull(run.now().asking()).approval();
        assertThat(approval.quorum()).isEqualTo(3);
        assertThat(approval.notBy()).isEqualTo("u1");
        assertThat(reply).asInstanceOf(type(ToolReply.Pending.class)).satisfies(pending -> {
            assertThat(pending.output().path("quorum").asInt()).isEqualTo(3);
            assertThat(pending.output().path("notBy").asString()).isEqualTo("u1");
        });
    }

    /// Also when the rule wanted less as it asked, or an older worker's topology let the call go on.
    @Test
    void anApprovalByTooFewOrByTheRequesterIsAskedAnew() {
        ApprovalTerms two = new ApprovalTerms(2, false);
        ApprovalTerms another = new ApprovalTerms(1, true);

        assertThat(ask(grantedBy("ann", "ben"), forUser("u1"), asked(two))).as("goes on").isNull();
        assertThat(ask(grantedBy("ann", "ann"), forUser("u1"), asked(two))).isInstanceOf(ToolReply.Pending.class);
        assertThat(ask(grantedBy("ann"), forUser("u1"), asked(two))).isInstanceOf(ToolReply.Pending.class);
        assertThat(ask(grantedBy("ann"), forUser("u1"), asked(another))).as("goes on").isNull();
        assertThat(ask(grantedBy("u1"), forUser("u1"), asked(another))).isInstanceOf(ToolReply.Pending.class);
        assertThat(ask(grantedBy(), forUser("u1"), asked(another))).isInstanceOf(ToolReply.Pending.class);
        assertThat(ask(grantedBy(), forUser("u1"), asked(ApprovalTerms.ONE))).as("goes on").isNull();
    }

    @Test
    void aPersonIsAskedWithWhatWouldRunAndWhy() {
        Identified run = first();

        ToolReply reply = ask(run, with(2), asked("a", "b"));

        assertThat(reply).asInstanceOf(type(ToolReply.Pending.class)).satisfies(pending -> {
            assertThat(pending.handle()).isEqualTo("h-1");
            assertThat(pending.output().path("arguments").path("n").asInt()).as("as the middlewares left it")
                    .isEqualTo(2);
            assertThat(pending.output().path("reason").asString()).isEqualTo("why a");
            assertThat(pending.output().path("until").asString()).isEqualTo(NOW.plusSeconds(300).toString());
        });
        Approval approval = requireNonNull(run.now().asking()).approval();
        assertThat(approval.rules()).containsExactly("a", "b");
        assertThat(approval.fingerprint()).isEqualTo(Fingerprint.of("bank__pay", with(2).args()));
    }

    @Test
    void noLayerChangesWhatWouldRunInAQuestion() {
        Identified run = first();
        ToolCall call = with(2);
        ToolReply.Pending question = (ToolReply.Pending) requireNonNull(ask(run, call, asked("a")));
        ObjectNode left = (ObjectNode) question.output();
        left.put("hint", "by a layer").put("tool", "calendar__read").set("arguments", Json.MAPPER.createObjectNode());
        ((ObjectNode) call.args()).put("n", 99);

        ToolReply.Pending said = (ToolReply.Pending) run.now().asAsked(question);
        assertThat(said.output().path("arguments").path("n").asInt()).isEqualTo(2);
        assertThat(said.output().path("tool").asString()).isEqualTo("bank__pay");
        assertThat(said.output().path("hint").asString()).isEqualTo("by a layer");
        assertThat(run.now().asAsked(new ToolReply.Pending("h-1", StringNode.valueOf("x"), null, null)))
                .isInstanceOfSatisfying(ToolReply.Pending.class,
                        whole -> assertThat(whole.output().path("arguments").path("n").asInt()).isEqualTo(2));
        ToolReply other = new ToolReply.Pending("h-2", StringNode.valueOf("x"), null, null);
        assertThat(run.now().asAsked(other)).isSameAs(other);
    }

    @Test
    void theGuardKnowsWhatIsAQuestionAndWhatALayerPutInItsPlace() {
        Identified run = first();
        ToolReply question = requireNonNull(ask(run, with(2), asked("a")));
        List<Boolean> questions = new ArrayList<>();
        GuardStage guard = new GuardStage((call, reply) -> {
            questions.add(call.question());
            return new ResultGuard.Guarded(reply, null);
        });

        guard.of(run.now(), question);
        guard.of(run.now(), new ToolReply.Pending("h-2", StringNode.valueOf("x"), null, null));
        guard.of(run.now(), new ToolReply.Ok(StringNode.valueOf("x")));
        guard.of(first(), question);

        assertThat(questions).containsExactly(true, false, false, false);
    }

    @Test
    void theCallThatIsKeptIsTheOneThatArrived() {
        Identified run = first();
        ToolReply.Pending reply = (ToolReply.Pending) requireNonNull(ask(run, with(2), asked("a")));

        PendingCall kept = PendingRecords.of(run.now(), reply, 3, NOW);

        assertThat(requireNonNull(kept.approval()).hidden()).isEqualTo(3);

        assertThat(kept.kind()).isEqualTo(PendingCall.Kind.APPROVAL);
        assertThat(kept.call()).isEqualTo(CALL);
        assertThat(kept.callOffset()).isEqualTo(42);
        assertThat(requireNonNull(kept.origin()).tool()).as("no module has anything to do with it").isNull();
    }

    @Test
    void theCallersDeadlineEndsTheQuestion() {
        Identified run = first();

        ask(run, CALL.until(NOW.plusSeconds(7)), asked("a"));
        assertThat(requireNonNull(run.now().asking()).until()).isEqualTo(NOW.plusSeconds(7));

        Identified late = first();
        assertThat(ask(late, CALL.until(NOW), asked("a"))).asInstanceOf(type(ToolReply.Failed.class))
                .satisfies(failed -> assertThat(failed.error().code()).isEqualTo(ErrorCode.E_TOOL_TIMEOUT.name()));
        assertThat(late.now().asking()).isNull();
    }

    /// Otherwise: it was approved and has run, its results are gone, and a second approval lets it run again.
    @Test
    void nobodyIsAskedAboutACallThatMayHaveRun() {
        Identified run = first();

        assertThat(ask(TestCalls.judged(run.recalledBy(null).doubtful()), CALL, asked("a")))
                .asInstanceOf(type(ToolReply.Failed.class)).satisfies(
                        failed -> assertThat(failed.error().code()).isEqualTo(ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name()));
        assertThat(run.now().asking()).isNull();
    }

    @Test
    void whatWasAnsweredGoesOn() {
        Identified run = granted(CALL, "a", "b");

        assertThat(ask(run, CALL, asked("b"))).as("a rule that asks no more does not matter").isNull();
        assertThat(run.now().isApprovalUsed()).isTrue();
    }

    // Otherwise: a person who authorizes a tool approves what policy wants a person to look at.
    @Test
    void anAuthorizationIsNoApproval() {
        Identified run = granted(CALL, AuthorizationStage.RULE, "a");

        assertThat(ask(run, CALL, asked("a"))).isInstanceOf(ToolReply.Pending.class);
        assertThat(ask(run, CALL, asked(AuthorizationStage.RULE))).isInstanceOf(ToolReply.Pending.class);
    }

    @Test
    void anApprovalIsNeverSatisfiedByOtherArguments() {
        Identified run = granted(CALL, "a");

        assertThat(ask(run, with(1_000_000), asked("a"))).isInstanceOf(ToolReply.Pending.class);
        assertThat(run.now().isApprovalUsed()).isFalse();
        assertThat(requireNonNull(run.now().asking()).handle()).as("another question").isEqualTo("h-1");
    }

    /// The red team's finding 3: a script that is approved, and written anew before it runs.
    @Test
    void anApprovalIsNeverSatisfiedByAnotherContentOfAFile() {
        Identified run = granted(CALL, List.of("a"), script("echo harmless"));

        assertThat(ask(run, CALL, asked("a"), script("echo EVIL"))).isInstanceOf(ToolReply.Pending.class);
        assertThat(run.now().isApprovalUsed()).isFalse();
        assertThat(requireNonNull(requireNonNull(run.now().asking()).approval().operands())).singleElement()
                .satisfies(file -> assertThat(file.digest()).isEqualTo(script("echo EVIL").digest()));
        assertThat(ask(granted(CALL, "a"), CALL, asked("a"), script("x"))).as("approved without the file")
                .isInstanceOf(ToolReply.Pending.class);
        assertThat(ask(granted(CALL, List.of("a"), script("x")), CALL, asked("a"), script("x"))).isNull();
    }

    @Test
    void theQuestionShowsTheFilesAndSaysWhatIsNotBound() {
        ToolReply.Pending reply = (ToolReply.Pending) requireNonNull(
                ask(first(), CALL, asked("a"), script("echo harmless")));

        assertThat(reply.output().path("operands").path(0))
                .hasToString("{\"name\":\"deploy.sh\",\"size\":13,\"digest\":\""
                        + script("echo harmless").digest() + "\",\"text\":\"echo harmless\"}");
        assertThat(reply.output().path("binds").asString()).contains("these files", "Other files");
        ToolReply.Pending none = (ToolReply.Pending) requireNonNull(ask(first(), CALL, asked("a")));
        assertThat(none.output().path("binds").asString()).contains("No file is bound");
    }

    @Test
    void aFileWhoseTextIsNotShownIsHidden() {
        Identified run = first();
        Operand binary = Operand.of("tool.bin", new byte[]{(byte) 0xff, 0});
        Operand large = Operand.of("large.sh", "echo ok;".repeat(Operand.MAX_TEXT).getBytes(StandardCharsets.UTF_8));
        ToolReply.Pending reply = (ToolReply.Pending) requireNonNull(ask(run, CALL, asked("a"), binary, large));

        assertThat(requireNonNull(PendingRecords.of(run.now(), reply, 1, NOW).approval()).hidden()).isEqualTo(3);
    }

    @Test
    void aToolThatCannotNameItsFilesEndsTheCall() {
        ToolReply error = new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL, "no such file"));
        Identified run = first();

        assertThat(stage.ask(new Ruled(TestCalls.judged(run), asked("a")), CALL, () -> new Found.Failed(error)))
                .isSameAs(error);
        assertThat(run.now().asking()).isNull();
        Identified left = first();
        stage.ask(new Ruled(TestCalls.judged(left), asked("a")), CALL, Found.Left::new);
        assertThat(left.course().isLeft()).isTrue();
        assertThat(stage.ask(TestCalls.allowed(run.recalledBy(null)), CALL, () -> {
            throw new AssertionError("nobody is asked");
        })).isNull();
    }

    @Test
    void anotherRuleAsksAnew() {
        Identified run = granted(CALL, "a");

        assertThat(ask(run, CALL, asked("a", "new"))).isInstanceOf(ToolReply.Pending.class);
        assertThat(run.now().isApprovalUsed()).isFalse();
    }

    @Test
    void anInstanceMayNotHaveMoreThanSoManyOpenApprovals() {
        PartitionState partition = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10), () -> 0);
        for (int i = 0; i < 20; i++)
            partition.restorePending(new OpenHandle("id-" + i, "sha256:" + "ab".repeat(32), "h-" + i, i, "i", "c", null,
                    null, null, NOW, null, "sha256:" + "cd".repeat(32)));
        Identified run = first();
        partition.judge(run.call());
        Recalled known = run.recalledBy(partition);

        assertThat(ask(TestCalls.judged(known), CALL, asked("a"))).asInstanceOf(type(ToolReply.Failed.class))
                .satisfies(failed -> {
                    assertThat(failed.error().code()).isEqualTo(ErrorCode.E_TOOL_RATE_LIMITED.name());
                    assertThat(failed.error().message()).contains("20 calls of instance 'i'", "not started");
                });
        assertThat(run.now().asking()).isNull();
        partition.restoreClosed("id-7");
        assertThat(ask(TestCalls.judged(known), CALL, asked("a"))).isInstanceOf(ToolReply.Pending.class);
    }

    @Test
    @DisplayName("X-06: a call is judged by the policy of now, although an older one had it approved")
    void whatIsDeniedByNowDoesNotRunThoughItWasApproved() {
        Identified run = granted(CALL, "a");

        ToolReply reply = ask(run, CALL, new Ruling.Denied(Ruling.Basis.NONE,
                ToolError.of(ErrorCode.E_TOOL_DENIED, "no more")));

        assertThat(reply).asInstanceOf(type(ToolReply.Failed.class))
                .satisfies(failed -> assertThat(failed.error().code()).isEqualTo("E_TOOL_DENIED"));
    }

    @Test
    void whatNobodyAsksAboutAnyMoreRuns() {
        Identified run = granted(CALL, "a");

        assertThat(ask(run, with(5), new Ruling.Allowed(Ruling.Basis.NONE))).isNull();
        assertThat(run.now().isApprovalUsed()).isFalse();
    }
}
