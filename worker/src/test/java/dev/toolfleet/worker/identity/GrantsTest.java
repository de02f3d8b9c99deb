package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.assignment.Position;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// An approval counts for the open handle that it names, once; and what earlier owners began goes first.
class GrantsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String GONE = "[\"i\",\"coder\",\"t\",\"s\",\"deleted\"]";
    private static final String FINGERPRINT = Fingerprint.of("t__run", Json.MAPPER.createObjectNode());
    private static final String OTHER = "sha256:" + "ab".repeat(32);

    private Duration passed = Duration.ZERO;
    private final PartitionState state = state(40, 50);

    /// That of a partition which is read from `start`, and ended at `end` when it was taken over.
    private PartitionState state(long start, long end) {
        PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10),
                () -> passed.toNanos());
        state.restoreStart(new LogStart(start, end, 0, true, LogStart.Doubt.NONE));
        return state;
    }

    private static Arrival.Granted grant(String handle, long callOffset) {
        ResumedCall.Grant grant = new ResumedCall.Grant(handle, FINGERPRINT, "r", null, null, null, "ann", NOW);
        return Arrival.Granted.of(Position.resumed(0, 1, 9), new ResumedCall(call("c1"), callOffset, grant, null, null,
                new CallOrigin(FINGERPRINT, 1, null, NOW, null)), 10, () -> {});
    }

    private static Arrival.Call call(String id, long offset) {
        return new Arrival.Call(new Position(0, 1, offset), call(id), NOW.toEpochMilli(), null, 10);
    }

    private static ToolCall call(String id) {
        return ToolCall.of(id, "t__run", Json.MAPPER.createObjectNode(), "i").inStep("coder", "t", "s", 0);
    }

    private static IdentifiedCall identified(Arrival.Granted granted) {
        return IdentifiedCall.of(granted.call(), FINGERPRINT);
    }

    private static String identity() {
        return identified(grant("h", 42)).identity().text();
    }

    private static String started() {
        return identified(grant("h", 42)).identity().resumedBy("h").text();
    }

    private static CallIntent intent(String identity) {
        return new CallIntent(identity, FINGERPRINT, "t__run", 1, "w1", 1, NOW, "m1", null, null);
    }

    /// That of a worker whose clock is wrong, for a call that was appended at [#NOW].
    private static CallIntent intent(String identity, Duration wrong) {
        Instant now = NOW.plus(wrong);
        return new CallIntent(identity, FINGERPRINT, "t__run", 1, "w1", 1, now, "m1", now.plusSeconds(30), null, null,
                NOW, null, null);
    }

    private void waits() {
        state.restorePending(new OpenHandle(identity(), FINGERPRINT, "h", 42, "i", "c1", "coder", "t", "s", NOW));
    }

    /// Judges a record that names the open handle and has other arguments, or claims that others were approved.
    private CallStanding judgeForged(String args, String origin, String approved) {
        ToolCall call = ToolCall.of("c1", "t__run", (ObjectNode) Json.MAPPER.readTree(args), "i").inStep("coder", "t",
                "s", 0);
        ResumedCall.Grant grant = new ResumedCall.Grant("h", approved, "r", null, null, null, "mallory", NOW);
        Arrival.Granted granted = Arrival.Granted.of(Position.resumed(0, 1, 9),
                new ResumedCall(call, 42, grant, null, null, new CallOrigin(origin, 1, null, NOW, null)), 10, () -> {});
        return state.judgeGrant(IdentifiedCall.of(granted.call(), origin), grant);
    }

    private CallStanding judge(String handle, long callOffset) {
        Arrival.Granted granted = grant(handle, callOffset);
        return state.judgeGrant(identified(granted), granted.grant());
    }

    @Test
    void onlyTheOpenHandleOfThatCallCounts() {
        assertThat(judge("h", 42)).as("nobody waits").isEqualTo(new CallStanding.Done());
        waits();

        assertThat(judge("another", 42)).isEqualTo(new CallStanding.Done());
        assertThat(judge("h", 41)).as("another record of the call").isEqualTo(new CallStanding.Done());
        assertThat(judge("h", 42)).isEqualTo(new CallStanding.Fresh());
    }

    @Test
    void anApprovedCallWhoseStartALaterVersionNotedIsNotRun() {
        waits();
        state.restoreUnreadable(identified(grant("h", 42)).identity().resumedBy("h").text());

        assertThat(judge("h", 42)).isEqualTo(new CallStanding.Unreadable());
    }

    @Test
    void anApprovalOfOtherArgumentsThanThoseThatWaitRunsNothing() {
        waits();
        String evil = "{\"to\":\"mallory\"}";
        String ofEvil = Fingerprint.of("t__run", (ObjectNode) Json.MAPPER.readTree(evil));

        assertThat(judgeForged(evil, FINGERPRINT, ofEvil)).isInstanceOf(CallStanding.Forged.class);
        assertThat(judgeForged(evil, ofEvil, ofEvil)).isInstanceOf(CallStanding.Forged.class);
        assertThat(judgeForged("{}", OTHER, FINGERPRINT)).isInstanceOf(CallStanding.Forged.class);
        assertThat(judge("h", 42)).as("the call waits on").isEqualTo(new CallStanding.Fresh());
    }

    @Test
    void anApprovalOfOtherArgumentsThanThePersonSawRunsNothing() {
        state.restorePending(new OpenHandle(identity(), FINGERPRINT, "h", 42, "i", "c1", "coder", "t", "s", NOW, null,
                OTHER));

        assertThat(judgeForged("{}", FINGERPRINT, FINGERPRINT)).isInstanceOf(CallStanding.Forged.class);
        assertThat(judgeForged("{}", FINGERPRINT, OTHER)).isEqualTo(new CallStanding.Fresh());
    }

    @Test
    void anApprovalForAHandleThatWaitsForWorkRunsNothing() {
        state.restorePending(new OpenHandle(identity(), FINGERPRINT, "h", 42, "i", "c1", "coder", "t", "s", NOW,
                new ToolRef("acme", "t", "run"), null));

        assertThat(judge("h", 42)).isInstanceOf(CallStanding.Forged.class);
    }

    @Test
    void theSecondOfTwoWaitsForTheFirstAndIsDone() {
        waits();
        judge("h", 42);
        assertThat(judge("h", 42)).isInstanceOf(CallStanding.Twin.class);

        state.committed(identified(grant("h", 42)), 7, 7);

        assertThat(judge("h", 42)).isEqualTo(new CallStanding.Done());
    }

    @Test
    void aQuestionThatTookThePlaceOfAnotherMakesTheOldApprovalWorthless() {
        waits();
        judge("h", 42);

        state.committedPending(identified(grant("h", 42)),
                new OpenHandle(identity(), FINGERPRINT, "h2", 42, "i", "c1", "coder", "t", "s", NOW), 7, 7);

        assertThat(judge("h", 42)).isEqualTo(new CallStanding.Done());
        assertThat(judge("h2", 42)).isEqualTo(new CallStanding.Fresh());
    }

    @Test
    void anHeirFindsThatTheApprovedCallWasBegunInWhateverOrderTheJournalShowsIt() {
        state.restoreOpen(intent(started()), -1);
        waits();

        assertThat(judge("h", 42)).isEqualTo(new CallStanding.Open(intent(started()), false));

        state.committed(identified(grant("h", 42)), 7, 7);
        assertThat(state.open()).as("both are closed").isEmpty();
    }

    @Test
    void callsWaitUntilTheApprovedCallsThatWereBegunAreInTheirLanes() {
        waits();
        state.restoreOpen(intent(started()), -1);
        state.restored(50, -1);
        Arrival.Call next = new Arrival.Call(new Position(0, 1, 43), call("c2"), NOW.toEpochMilli(), null, 10);

        assertThat(state.began(grant("h", 42))).isTrue();
        assertThat(state.admits(next)).isFalse();
        assertThat(state.settled(20)).isFalse();
        assertThat(state.admits(grant("h", 42))).isTrue();
        state.claimed(grant("h", 42));

        assertThat(state.admits(next)).isTrue();
        assertThat(state.settled(20)).isTrue();
    }

    @Test
    void noCallWaitsForAnApprovalThatIsNotThere() {
        state.restoreOpen(intent(started()), -1);
        state.restored(50, -1);

        assertThat(state.settled(50)).as("all that there was has been read").isTrue();

        assertThat(state.admits(grant("h", 42).call())).isTrue();
    }

    @Test
    void approvedCallsWaitUntilTheCallsThatWereBegunAreInTheirLanes() {
        waits();
        Arrival.Call running = new Arrival.Call(new Position(0, 1, 43), call("c2"), NOW.toEpochMilli(), null, 10);
        state.restoreOpen(intent(IdentifiedCall.of(running).identity().text()), -1);
        state.restored(50, -1);

        assertThat(state.admits(grant("h", 42))).isFalse();
        assertThat(state.admits(running)).isTrue();
        state.claimed(running);

        assertThat(state.admits(grant("h", 42))).isTrue();
    }

    // Otherwise: an approval that is read first starts beside a call of its instance that runs at another worker.
    @Test
    void approvedCallsWaitForACallThatBeganWhateverTheClockOfItsWorkerSays() {
        for (Duration wrong : List.of(Duration.ofHours(1), Duration.ofHours(-1))) {
            PartitionState heir = state(40, 50);
            Arrival.Call running = call("c2", 49);
            heir.restoreOpen(intent(IdentifiedCall.of(running).identity().text(), wrong), -1);
            heir.restored(50, -1);

            heir.claimed(call("c1", 48));
            assertThat(heir.admits(grant("h", 42))).as("%s", wrong).isFalse();
            heir.claimed(running);
            assertThat(heir.admits(grant("h", 42))).isTrue();
        }
    }

    // Otherwise: nothing of its partition is read while what lies behind the approval has to end first.
    @Test
    void approvedCallsWaitNoLongerThanACallMayRunWhateverTheClockOfItsWorkerSays() {
        state.restoreOpen(intent(GONE, Duration.ofHours(-1)), -1);
        state.restored(50, -1);

        passed = Duration.ofSeconds(90);
        assertThat(state.admits(grant("h", 42))).as("30 s and a minute").isFalse();

        passed = Duration.ofSeconds(91);
        assertThat(state.admits(grant("h", 42))).isTrue();
    }

    // Its record is gone. What began was read by an earlier owner, and so lies before the end that the heir found.
    @Test
    void aCallThatNeverComesHoldsNobodyWhenAllThatLayThereHasCome() {
        state.restoreOpen(intent(GONE), -1);
        state.restored(50, -1);
        state.claimed(call("c3", 48));
        assertThat(state.admits(grant("h", 42))).isFalse();

        state.claimed(call("c4", 49));

        assertThat(state.admits(grant("h", 42))).isTrue();
    }

    @Test
    void aCallThatNeverComesHoldsNobodyWhenAllThatLayThereIsFinished() {
        state.restoreOpen(intent(GONE), -1);
        state.restored(50, -1);
        state.frontier(49);
        assertThat(state.admits(grant("h", 42))).isFalse();

        state.frontier(50);

        assertThat(state.admits(grant("h", 42))).as("its last records were markers").isTrue();
    }

    @Test
    void aCallThatNeverComesHoldsNobodyWhereEveryCallWasFinished() {
        PartitionState heir = state(50, 50);
        heir.restoreOpen(intent(GONE), -1);
        heir.restored(50, -1);

        assertThat(heir.admits(grant("h", 42))).isTrue();
    }
}
