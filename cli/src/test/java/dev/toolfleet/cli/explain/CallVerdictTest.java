package dev.toolfleet.cli.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.cli.explain.CallSnapshot.Ahead;
import dev.toolfleet.cli.explain.CallSnapshot.Announced;
import dev.toolfleet.cli.explain.CallSnapshot.Answer;
import dev.toolfleet.cli.explain.CallSnapshot.AuditedRuling;
import dev.toolfleet.cli.explain.CallSnapshot.Cancelled;
import dev.toolfleet.cli.explain.CallSnapshot.Decided;
import dev.toolfleet.cli.explain.CallSnapshot.Group;
import dev.toolfleet.cli.explain.CallSnapshot.Held;
import dev.toolfleet.cli.explain.CallSnapshot.Live;
import dev.toolfleet.cli.explain.CallSnapshot.LiveCall;
import dev.toolfleet.cli.explain.CallSnapshot.Said;
import dev.toolfleet.cli.explain.CallSnapshot.Start;
import dev.toolfleet.cli.explain.CallSnapshot.Step;
import dev.toolfleet.cli.explain.CallSnapshot.Waits;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// From facts to where a call is: every verdict, what comes before what, and that each says something of use.
class CallVerdictTest {
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    private static final RecordedCall CALL = call("c2", 7);
    private static final Group OWNED = new Group("g", 2, Optional.of("w1"), false);
    private static final Live SILENT = Live.unasked("nobody asked");
    private static final Start START = new Start(intent(), true);
    private static final Start TAKEN = new Start(note(), true);
    private static final Step SHOWN = new Step(Optional.of(NOW), Optional.empty());
    private static final CallSnapshot PLAIN = new CallSnapshot(CALL, NOW, List.of(), Optional.empty(), Optional.empty(),
            OWNED,
            List.of(), SHOWN, SILENT, Said.NOTHING);

    static Stream<Arguments> verdicts() {
        Answer ok = new Answer(result(ResultStatus.OK, null), NOW);
        Answer refused = new Answer(result(ResultStatus.ERROR, ErrorCode.E_TOOL_NOT_IN_CATALOG), NOW);
        Waits work = waits(PendingCall.Kind.ASYNC, null);
        Waits person = waits(PendingCall.Kind.APPROVAL, null);
        Waits over = waits(PendingCall.Kind.ASYNC, NOW);
        Decided yes = new Decided(Decision.approve("h", "ada", null), NOW);
        Cancelled cancel = new Cancelled(new CancelCall("i", "c2", null, null, "ada", null, null, null), NOW);
        Ahead slow = new Ahead(call("c1", 3), Optional.of(START));
        Ahead other = new Ahead(call("c0", 5), Optional.empty());
        LiveCall mine = live(7, "c2", "running", false);
        LiveCall queued = live(7, "c2", "queued", false);
        LiveCall head = live(3, "c1", "slot", false);
        Said approved = new Said(Optional.of(yes), Optional.of(NOW), Optional.empty(), Optional.empty(),
                Optional.empty(), List.of());
        Step unannounced = new Step(Optional.empty(), Optional.empty());
        Held quarantined = new Held("w1", 0, List.of("quarantined", "worker_full"));
        Held unreadable = new Held("w1", 0, List.of("unreadable", "a_later_reason"));
        Group nobody = new Group("g", 0, Optional.empty(), false);
        return Stream.of(
                of("ended", with(PLAIN, answers(ok)), new CallVerdict.Ended(ok, Optional.empty())),
                of("ended, although a handle stands open", waiting(with(PLAIN, answers(ok)), work),
                        new CallVerdict.Ended(ok, Optional.empty())),
                of("no catalog, said by its result", step(with(PLAIN, answers(refused)), unannounced),
                        new CallVerdict.Ended(refused, Optional.of(new CallVerdict.Catalog.NotAnnounced()))),
                of("refused by a catalog that is there", with(PLAIN, answers(refused)),
                        new CallVerdict.Ended(refused, Optional.empty())),
                of("dead letter", said(PLAIN, new Said(Optional.empty(), Optional.empty(), Optional.empty(),
                        Optional.empty(), Optional.of("malformed"), List.of())),
                        new CallVerdict.DeadLetter("malformed")),
                of("done in silence", group(PLAIN, new Group("g", 1, Optional.of("w1"), true)),
                        new CallVerdict.DoneInSilence()),
                of("needs a decision", waiting(PLAIN, person), new CallVerdict.NeedsDecision(person)),
                of("needs a decision, without workers too", group(waiting(PLAIN, person), nobody),
                        new CallVerdict.NeedsDecision(person)),
                of("decided", said(waiting(PLAIN, person), new Said(Optional.of(yes), Optional.empty(),
                        Optional.empty(), Optional.empty(), Optional.empty(), List.of())),
                        new CallVerdict.Decided(person, yes)),
                of("approved and started", start(said(waiting(PLAIN, person), approved)),
                        new CallVerdict.Started(START)),
                of("approved, and nobody runs it", group(said(waiting(PLAIN, person), approved), nobody),
                        new CallVerdict.NoWorker()),
                of("awaits work", waiting(PLAIN, work), new CallVerdict.AwaitsWork(work)),
                of("its outcome is under way", waiting(PLAIN, over), new CallVerdict.OutcomeUnderWay(over)),
                of("its outcome has nobody to publish it", group(waiting(PLAIN, over), nobody),
                        new CallVerdict.NoWorker()),
                of("no worker", group(PLAIN, nobody), new CallVerdict.NoWorker()),
                of("no owner", group(PLAIN, new Group("g", 2, Optional.empty(), false)), new CallVerdict.NoOwner()),
                of("behind the oldest", ahead(PLAIN, slow, other),
                        new CallVerdict.Behind(CallVerdict.Holder.of(slow, Optional.empty()), 1)),
                of("behind the one that its worker runs", live(ahead(PLAIN, slow, other), head, queued),
                        new CallVerdict.Behind(CallVerdict.Holder.of(slow, Optional.of(head)), 1)),
                of("past one that was skipped, behind the next",
                        live(ahead(PLAIN, slow, other), live(3, "c1", "running", true),
                                live(5, "c0", "layers", false), queued),
                        new CallVerdict.Behind(
                                CallVerdict.Holder.of(other, Optional.of(live(5, "c0", "layers", false))), 1)),
                of("behind one that the topics no longer show", live(PLAIN, head, queued),
                        new CallVerdict.Behind(CallVerdict.Holder.of(head), 0)),
                of("in its worker", live(ahead(PLAIN, slow), mine), new CallVerdict.InWorker(mine)),
                of("in its worker, although it waited for a person before", live(waiting(PLAIN, person), mine),
                        new CallVerdict.InWorker(mine)),
                of("not taken in", live(ahead(PLAIN, slow)), new CallVerdict.NotTakenIn("w1")),
                of("quarantined", held(ahead(PLAIN, slow), quarantined), new CallVerdict.HeldBack(quarantined)),
                of("quarantined, although it was started", start(held(PLAIN, quarantined)),
                        new CallVerdict.HeldBack(quarantined)),
                of("held", held(PLAIN, unreadable), new CallVerdict.HeldBack(unreadable)),
                of("held, but started by an earlier owner", start(held(PLAIN, unreadable)),
                        new CallVerdict.Started(START)),
                of("another partition is held", held(PLAIN, new Held("w1", 1, List.of("quarantined"))),
                        new CallVerdict.NotTakenIn("w1")),
                of("held on a former owner", held(PLAIN, new Held("w0", 0, List.of("taking_over"))),
                        new CallVerdict.NotTakenIn("w1")),
                of("started", start(ahead(PLAIN, slow)), new CallVerdict.Started(START)),
                of("orphaned", start(PLAIN, new Start(intent(), false)),
                        new CallVerdict.Orphaned(new Start(intent(), false))),
                of("taken after a death", start(PLAIN, TAKEN), new CallVerdict.Started(TAKEN)),
                of("cancelled", said(PLAIN, new Said(Optional.empty(), Optional.empty(), Optional.of(cancel),
                        Optional.empty(), Optional.empty(), List.of())), new CallVerdict.Cancelled(cancel)),
                of("announced, not answered",
                        step(PLAIN, new Step(Optional.empty(), Optional.of(new Announced(0, NOW)))),
                        new CallVerdict.AwaitsCatalog(new CallVerdict.Catalog.NotAnswered(NOW))),
                of("announced elsewhere", step(PLAIN, new Step(Optional.empty(), Optional.of(new Announced(1, NOW)))),
                        new CallVerdict.AwaitsCatalog(new CallVerdict.Catalog.Elsewhere(1))),
                of("never announced", step(PLAIN, unannounced),
                        new CallVerdict.AwaitsCatalog(new CallVerdict.Catalog.NotAnnounced())),
                of("next", PLAIN, new CallVerdict.Next()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("verdicts")
    void theFactsDecide(String what, CallSnapshot facts, CallVerdict expected) {
        assertThat(CallVerdict.of(facts)).isEqualTo(expected);
        VerdictText.Said said = new VerdictText(facts, "toolfleet").of(expected);
        assertThat(said.headline()).isNotBlank().doesNotContain("null");
        assertThat(ExplainJson.of(facts, said).path("verdict").stringValue()).isEqualTo(said.name());
    }

    @Test
    void everyVerdictIsTried() {
        Set<String> tried = verdicts().map(each -> requireNonNull(each.get()[2]).getClass().getName())
                .collect(Collectors.toSet());

        assertThat(tried).isEqualTo(
                Stream.of(CallVerdict.class.getPermittedSubclasses()).map(Class::getName).collect(Collectors.toSet()));
    }

    @Test
    void whoHoldsTheLaneIsNamedWithTheCommandsThatHelp() {
        CallSnapshot facts = live(ahead(PLAIN, new Ahead(call("c1", 3), Optional.of(START))),
                live(3, "c1", "running", false), live(7, "c2", "queued", false));

        VerdictText.Said said = new VerdictText(facts, "toolfleet").of(CallVerdict.of(facts));

        assertThat(said.headline()).isEqualTo("waits behind call c1 (t__slow, record 0/3) of the same instance, which"
                + " runs t__slow since 12 s on worker w1");
        assertThat(said.next()).anyMatch(next -> next.startsWith("toolfleet lane skip i "))
                .anyMatch(next -> next.startsWith("toolfleet cancel --instance i --call c1 --step s"));
    }

    @Test
    void aCallThatWasTakenAfterADeathIsNotSaidToRun() {
        CallSnapshot taken = start(PLAIN, TAKEN);
        CallSnapshot orphaned = start(PLAIN, new Start(note(), false));
        CallSnapshot behind = ahead(PLAIN, new Ahead(call("c1", 3), Optional.of(TAKEN)));

        VerdictText.Said said = new VerdictText(taken, "toolfleet").of(CallVerdict.of(taken));
        VerdictText.Said gone = new VerdictText(orphaned, "toolfleet").of(CallVerdict.of(orphaned));
        VerdictText.Said waits = new VerdictText(behind, "toolfleet").of(CallVerdict.of(behind));

        assertThat(said.name()).isEqualTo("taken");
        assertThat(said.headline())
                .isEqualTo("was taken by worker w1 12 s ago, after the death of 1 worker that may have"
                        + " had it: it is about to run there, or runs there a tool that may run twice");
        assertThat(gone.headline())
                .isEqualTo("was taken by worker w1 12 s ago, after the death of 1 worker that may have"
                        + " had it, and is gone, too; the owner of its partition (w1) ends it as unknown, unless it was handed"
                        + " back");
        assertThat(waits.headline()).endsWith("which was taken by worker w1 12 s ago, after the death of 1 worker");
        assertThat(Timeline.of(taken)).extracting(Timeline.Event::what)
                .contains("it was taken, after a death, by worker w1");
    }

    @Test
    void aQuarantinedPartitionIsNamedWithItsWorkerAndReason() {
        List<Held> held = new ArrayList<>();
        String worker = HttpWorkers.read(Json.MAPPER.readTree("""
                {"worker": "w1", "calls": [], "queued": 0, "held": [{"partition": 0, "reasons": ["quarantined"]}]}
                """), new ArrayList<>(), held);
        CallSnapshot facts = held(PLAIN, held.getFirst());

        VerdictText.Said said = new VerdictText(facts, "toolfleet").of(CallVerdict.of(facts));

        assertThat(worker).isEqualTo("w1");
        assertThat(said.name()).isEqualTo("quarantined");
        assertThat(said.headline()).isEqualTo("waits because its partition 0 is quarantined on worker w1: a topic that"
                + " its calls write to cannot be written");
    }

    @Test
    void whatIsPastedIntoAShellIsQuoted() {
        assertThat(VerdictText.quoted("telegram:123")).isEqualTo("telegram:123");
        assertThat(VerdictText.quoted("a b; rm -rf 'x'")).isEqualTo("'a b; rm -rf '\\''x'\\'''");
    }

    private static Arguments of(String what, CallSnapshot facts, CallVerdict verdict) {
        return Arguments.of(what, facts, verdict);
    }

    @Test
    void theTimelineNamesANoticeToTheModel() {
        CallSnapshot facts = answers(new Answer(result(ResultStatus.OK, null).noticed("10 times."), NOW)).apply(PLAIN);

        assertThat(Timeline.of(facts)).extracting(Timeline.Event::what)
                .contains("ok, with a notice to the model: it repeats this call");
    }

    @Test
    void theLabelsOfADeniedCallAreNamedWithTheCallsThatAddedThem() {
        AuditEvent event = new AuditEvent(AuditEvent.Kind.VERDICT, "denied", null, "no", null, null, null, null,
                "@acme/p/leak", null, null, false, null, null, null,
                List.of(new AddedLabel("sensitive", "vault__read", "c0", 4, "i"),
                        new AddedLabel("untrusted", "web__read", "c1", 5, "other")),
                "w1", NOW);
        CallSnapshot facts = said(PLAIN, new Said(Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), List.of(new AuditedRuling(event, NOW))));

        assertThat(Timeline.of(facts)).extracting(Timeline.Event::what)
                .contains(
                        "denied by rule @acme/p/leak; its instance had the labels sensitive (of vault__read, call c0),"
                                + " untrusted (of web__read, call c1 of instance other)");
        VerdictText.Said said = new VerdictText(facts, "toolfleet").of(CallVerdict.of(facts));
        assertThat(said.next()).last().asString().startsWith("toolfleet labels show i ");
        assertThat(ExplainJson.of(facts, said).at("/rulings/0/labels/1").toString())
                .isEqualTo("{\"label\":\"untrusted\",\"toolName\":\"web__read\",\"toolCallId\":\"c1\","
                        + "\"callOffset\":5,\"instanceKey\":\"other\"}");
    }

    @Test
    void aRulingWithoutLabelsNamesItsRuleAlone() {
        AuditEvent event = new AuditEvent(AuditEvent.Kind.VERDICT, "approval-requested", null, "no", null, null, null,
                "h", "@acme/p/ask", null, null, false, "w1", NOW);
        CallSnapshot facts = said(PLAIN, new Said(Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), List.of(new AuditedRuling(event, NOW))));

        assertThat(Timeline.of(facts)).extracting(Timeline.Event::what)
                .contains("a person was asked by rule @acme/p/ask");
        assertThat(new VerdictText(facts, "toolfleet").of(CallVerdict.of(facts)).next())
                .noneMatch(line -> line.contains("labels show"));
    }

    private static RecordedCall call(String id, long offset) {
        return new RecordedCall(0, offset,
                ToolCall.of(id, "t__slow", Json.MAPPER.createObjectNode(), "i").inStep("coder",
                        "t", "s", 1),
                NOW.minusSeconds(60));
    }

    /// Of a worker that has taken the call after a death, and chosen no tool yet.
    private static CallIntent note() {
        return new CallIntent("id", "sha", "t__slow", 1, "w1", 3, NOW.minusSeconds(12), "m1", null, null, true, null, 1,
                null);
    }

    private static CallIntent intent() {
        return new CallIntent("id", "sha", "t__slow", 1, "w1", 3, NOW.minusSeconds(12), "m1", null, null);
    }

    private static ToolResult result(ResultStatus status, @Nullable ErrorCode code) {
        return new ToolResult("c2", "t__slow", status, null, null, code == null ? null : ToolError.of(code, "no"), "i",
                null, null, null, 1, false, null, 7, null, null);
    }

    private static Waits waits(PendingCall.Kind kind, @Nullable Instant ended) {
        return new Waits(new PendingCall("h", kind, CALL.call(), 0, 7, null, null, NOW.plusSeconds(60), null, null,
                NOW.minusSeconds(5), null), NOW, ended);
    }

    private static LiveCall live(long offset, String id, String stage, boolean skipped) {
        return new LiveCall("w1", 0, offset, id, "t__slow", stage,
                stage.equals("queued") ? null : NOW.minus(Duration.ofSeconds(12)), 1, skipped, null);
    }

    private static UnaryOperator<CallSnapshot> answers(Answer... answers) {
        return facts -> new CallSnapshot(facts.call(), facts.now(), List.of(answers), facts.waits(), facts.start(),
                facts.group(), facts.ahead(), facts.step(), facts.live(), facts.said());
    }

    private static CallSnapshot with(CallSnapshot facts, UnaryOperator<CallSnapshot> change) {
        return change.apply(facts);
    }

    private static CallSnapshot waiting(CallSnapshot facts, Waits waits) {
        return new CallSnapshot(facts.call(), facts.now(), facts.answers(), Optional.of(waits), facts.start(),
                facts.group(),
                facts.ahead(), facts.step(), facts.live(), facts.said());
    }

    private static CallSnapshot start(CallSnapshot facts) {
        return start(facts, START);
    }

    private static CallSnapshot start(CallSnapshot facts, Start start) {
        return new CallSnapshot(facts.call(), facts.now(), facts.answers(), facts.waits(), Optional.of(start),
                facts.group(),
                facts.ahead(), facts.step(), facts.live(), facts.said());
    }

    private static CallSnapshot group(CallSnapshot facts, Group group) {
        return new CallSnapshot(facts.call(), facts.now(), facts.answers(), facts.waits(), facts.start(), group,
                facts.ahead(), facts.step(), facts.live(), facts.said());
    }

    private static CallSnapshot ahead(CallSnapshot facts, Ahead... ahead) {
        return new CallSnapshot(facts.call(), facts.now(), facts.answers(), facts.waits(), facts.start(), facts.group(),
                List.of(ahead), facts.step(), facts.live(), facts.said());
    }

    private static CallSnapshot step(CallSnapshot facts, Step step) {
        return new CallSnapshot(facts.call(), facts.now(), facts.answers(), facts.waits(), facts.start(), facts.group(),
                facts.ahead(), step, facts.live(), facts.said());
    }

    private static CallSnapshot live(CallSnapshot facts, LiveCall... calls) {
        return new CallSnapshot(facts.call(), facts.now(), facts.answers(), facts.waits(), facts.start(), facts.group(),
                facts.ahead(), facts.step(), new Live(List.of(calls), List.of(), Set.of("w1"), null), facts.said());
    }

    private static CallSnapshot held(CallSnapshot facts, Held held) {
        return new CallSnapshot(facts.call(), facts.now(), facts.answers(), facts.waits(), facts.start(), facts.group(),
                facts.ahead(), facts.step(), new Live(List.of(), List.of(held), Set.of("w1"), null), facts.said());
    }

    private static CallSnapshot said(CallSnapshot facts, Said said) {
        return new CallSnapshot(facts.call(), facts.now(), facts.answers(), facts.waits(), facts.start(), facts.group(),
                facts.ahead(), facts.step(), facts.live(), said);
    }
}
