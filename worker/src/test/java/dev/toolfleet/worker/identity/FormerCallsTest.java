package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Calls that began in a log that is gone are waited for by those of their instance, while they may run.
class FormerCallsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final long T = NOW.toEpochMilli();
    private static final Duration RUN = Duration.ofSeconds(60);
    private static final String FINGERPRINT = "sha256:" + "ab".repeat(32);

    private final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10),
            System::nanoTime);

    private static IdentifiedCall call(String instance, String id) {
        return IdentifiedCall.of(new Arrival.Call(new Position(0, 2, 3),
                ToolCall.of(id, "t__run", Json.MAPPER.createObjectNode(), instance).inStep("coder", "t", "s", 0), T,
                null,
                10));
    }

    private static CallIntent intent(String identity) {
        return new CallIntent(identity, FINGERPRINT, "t__run", 1, "w1", 1, NOW.plusSeconds(3600), "m1",
                NOW.plusSeconds(3600).plus(RUN), null, null, NOW, null, null);
    }

    private void began(String identity, long writtenAt) {
        state.restoreOpen(intent(identity), writtenAt);
    }

    private void takenOver(boolean sameLog, long journaledAt) {
        state.restoreStart(new LogStart(0, 10, 0, sameLog, LogStart.Doubt.NONE));
        state.restored(5, journaledAt);
    }

    @Test
    void aCallOfItsInstanceWaitsUntilItIsOver() {
        String running = call("i", "old").identity().text();
        began(running, T);
        takenOver(false, T);

        assertThat(state.former().before(call("i", "new"))).containsExactly(new FormerCall(intent(running), RUN));
        assertThat(state.former().before(call("j", "new"))).as("another instance").isEmpty();
        assertThat(state.former().before(call("i", "old"))).as("written again: what began is its own").isEmpty();

        state.former().over(new FormerCall(intent(running), RUN));
        assertThat(state.former().before(call("i", "new"))).isEmpty();
        assertThat(state.open()).as("a duplicate must find that it began").containsKey(running);
    }

    @Test
    void aCallThatIsNamedByAKeyIsWaitedForToo() {
        String running = IdentifiedCall.of(new Arrival.Call(new Position(0, 2, 3),
                ToolCall.of("old", "t__run", Json.MAPPER.createObjectNode(), "i").named("k"), T, null, 10)).identity()
                .text();
        began(running, T);
        takenOver(false, T);

        assertThat(state.former().before(call("i", "new"))).containsExactly(new FormerCall(intent(running), RUN));
        assertThat(state.former().before(call("j", "new"))).isEmpty();
    }

    // As after the log was truncated behind it, or when its runtime wrote it again.
    @Test
    void aCallThatHasARecordInThePresentLogTakesItsPlaceThere() {
        IdentifiedCall old = call("i", "old");
        state.restoreOpen(new CallIntent(old.identity().text(), old.fingerprint(), "t__run", 1, "w1", 1, NOW, "m1",
                NOW.plus(RUN), null, null, NOW, null, null), T);
        takenOver(false, T);

        assertThat(state.judge(old)).isInstanceOf(CallStanding.Open.class);

        assertThat(state.former().before(call("i", "new"))).isEmpty();
    }

    // The topic was made anew before the last take-over: the frontier is of the new log already.
    @Test
    void aCallOfAFormerLogIsWaitedForByTheSecondOwnerOfTheNewOne() {
        String running = call("i", "old").identity().text();
        began(running, T);
        takenOver(true, T);

        assertThat(state.former().before(call("i", "new"))).containsExactly(new FormerCall(intent(running), RUN));
    }

    @Test
    void inTheSameLogItsOwnRecordTakesItsPlaceInTheLane() {
        IdentifiedCall old = call("i", "old");
        state.restoreOpen(new CallIntent(old.identity().text(), old.fingerprint(), "t__run", 1, "w1", 1, NOW, "m1",
                NOW.plus(RUN), null, null, NOW, null, null), T);
        takenOver(true, T);

        assertThat(state.judge(old)).isInstanceOf(CallStanding.Open.class);

        assertThat(state.former().before(call("i", "new"))).isEmpty();
    }

    @Test
    void whatHasEndedIsNotWaitedFor() {
        String ended = call("i", "old").identity().text();
        began(ended, T);
        state.restoreClosed(ended);
        takenOver(false, T);

        assertThat(state.former().before(call("i", "new"))).isEmpty();
    }

    // Its intent stays on the journal.
    @Test
    void aCallThatCanRunNoMoreByTheJournalsTimesIsNotWaitedFor() {
        String old = call("i", "old").identity().text();
        began(old, T);
        takenOver(false, T + Duration.ofSeconds(90).toMillis());
        assertThat(state.former().before(call("i", "new"))).as("a minute for the brokers' clocks")
                .containsExactly(new FormerCall(intent(old), Duration.ofSeconds(30)));

        began(old, T);
        takenOver(false, T + Duration.ofMinutes(2).toMillis());
        assertThat(state.former().before(call("i", "new"))).isEmpty();
    }

    @Test
    void approvedCallsAndRecordsHaveNoPlaceToWaitFor() {
        began(call("i", "old").identity().resumedBy("h").text(), T);
        began("[\"@record\",0,7]", T);
        began("no json", T);
        takenOver(false, T);

        assertThat(state.former().before(call("i", "new"))).isEmpty();
    }
}
