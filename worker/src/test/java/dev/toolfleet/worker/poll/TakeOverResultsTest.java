package dev.toolfleet.worker.poll;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.PartitionFrontier;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.identity.CallStanding;
import dev.toolfleet.worker.identity.Digest128;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.LoopKey;
import dev.toolfleet.worker.identity.LoopMark;
import dev.toolfleet.worker.identity.PartitionState;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Which results a take-over reads, and which calls they answer.
class TakeOverResultsTest extends TakeOverFixture {
    @Test
    void resultsAreReadFromTheWindowBeforeTheFrontiersCall() {
        fake.frontierAppendedAt = OptionalLong.of(700_000);
        fake.ends = ends(0, 7, 0, 0);

        restore();

        assertThat(fake.asked).contains("result since 100000", "read RESULT 3 to 7");
    }

    @Test
    void ofResultsFromBeforeTheUnfinishedCallsNoMoreAreReadThanCanBeRemembered() {
        fake.frontierAppendedAt = OptionalLong.of(700_000);
        fake.ends = ends(0, 1_000, 0, 0);
        fake.resultsSince.put(640_000L, 500L);

        restore();

        assertThat(fake.asked).contains("read RESULT 480 to 1000");
    }

    // Otherwise: a group that is set back by more results than are remembered runs the older calls again.
    @Test
    void allResultsAreReadThatMayAnswerAnUnfinishedCall() {
        fake.frontierAppendedAt = OptionalLong.of(700_000);
        fake.ends = ends(0, 1_000_000, 0, 0);
        fake.resultsSince.put(640_000L, 3L);

        restore();

        assertThat(fake.asked).contains("read RESULT 3 to 1000000");
    }

    @Test
    void everyUnfinishedCallThatHasAResultIsDoneHoweverManyThereAre() {
        fake.start = new TakeOver.Start(null, null);
        fake.frontierAppendedAt = OptionalLong.of(700_000);
        for (int n = 0; n < 100; n++)
            fake.result(answerTo(numbered(n, 700_000 + n), 700_000 + n), 100 + n, 710_000 + n);

        PartitionState state = restore().state();

        for (int n = 0; n < 100; n++) {
            assertThat(state.judge(numbered(n, 700_000 + n))).as("read again").isInstanceOf(CallStanding.Done.class);
            assertThat(state.judge(copied(n))).as("at another offset").isInstanceOf(CallStanding.Answered.class);
        }
    }

    // Otherwise: an heir whose clock is ahead by more than the window remembers nothing, and a duplicate is run.
    @Test
    void whenEveryCallIsFinishedTheWindowEndsWithTheNewestResult() {
        IdentifiedCall answered = call(30);
        fake.start = new TakeOver.Start(DoneOffsets.from(100), null);
        fake.newestResult = 700_000;
        fake.resultsSince.put(100_000L, 60L);
        fake.result(answerTo(answered, 650_000), 90, 700_000);

        TakeOver.Restored restored = restore();

        assertThat(fake.asked).contains("result since 100000", "read RESULT 60 to 100");
        assertThat(restored.state().judge(call(100))).as("a duplicate").isInstanceOf(CallStanding.Answered.class);
    }

    @Test
    void aPartitionWithoutCallsAndResultsIsTakenOver() {
        fake.start = new TakeOver.Start(null, null);
        fake.newestResult = 0;
        fake.firstResult = -1;
        fake.ends = ends(0, 0, 0, 0);

        assertThat(restore().start()).isEqualTo(DoneOffsets.from(17));
        assertThat(fake.asked).contains("result since 0", "read RESULT 0 to 0");
    }

    @Test
    void withoutResultsInTheWindowNoneIsRead() {
        fake.ends = ends(0, 7, 0, 0);
        fake.firstResult = -1;

        restore();

        assertThat(fake.asked).contains("read RESULT 7 to 7");
    }

    // Otherwise: calls of a topic that was made anew are taken for those that lay at their offsets before.
    @Test
    void noResultAnswersACallOfATopicThatWasMadeAnew() {
        fake.frontier(new PartitionFrontier(60, Instant.ofEpochMilli(500_000), "calls-0", 3, "resumed-1", "cluster"));
        fake.frontierAppendedAt = OptionalLong.of(700_000);
        IdentifiedCall before = unstepped(20, 500_000);
        fake.result(answerTo(before, 500_000), 90, 720_000);

        TakeOver.Restored restored = restore();

        assertThat(restored.start()).isEqualTo(DoneOffsets.from(17));
        assertThat(restored.found()).extracting(Discrepancy::kind).containsExactly(Discrepancy.Kind.RECREATED);
        assertThat(restored.state().judge(unstepped(20, 710_000))).isInstanceOf(CallStanding.Fresh.class);
    }

    @Test
    void aCallIsKnownByItsRecordAndItsDuplicateByItsIdentity() {
        IdentifiedCall answered = call(43);
        fake.frontierAppendedAt = OptionalLong.of(0);
        fake.result(answerTo(answered, 0), 90, 5_000);

        PartitionState state = restore().state();

        assertThat(state.judge(answered)).isInstanceOf(CallStanding.Done.class);
        assertThat(state.judge(call(48))).isInstanceOfSatisfying(CallStanding.Answered.class, standing -> {
            assertThat(standing.answer().resultOffset()).isEqualTo(90);
            assertThat(standing.answer().answeredAt()).isEqualTo(5_000);
        });
    }

    @Test
    void resultsWithoutTheFleetsHeadersArePassedOver() {
        IdentifiedCall call = call(3);
        fake.result(Map.of(), 90, 5_000);
        fake.result(Map.of(WireHeaders.IDENTITY, call.identity().text(), WireHeaders.FINGERPRINT, call.fingerprint(),
                WireHeaders.CALL_OFFSET, "three"), 91, 5_000);

        PartitionState state = restore().state();

        assertThat(state.answers()).isZero();
        assertThat(state.judge(call)).isInstanceOf(CallStanding.Fresh.class);
    }

    @Test
    void aReplayTakesNoAnswersPlace() {
        IdentifiedCall call = call(3);
        Map<String, String> headers = Map.of(WireHeaders.IDENTITY, call.identity().text(), WireHeaders.FINGERPRINT,
                call.fingerprint(), WireHeaders.CALL_OFFSET, "3");
        fake.result(headers, 90, 5_000);
        Map<String, String> replay = new HashMap<>(headers);
        replay.put(WireHeaders.CALL_OFFSET, "4");
        replay.put(WireHeaders.REPLAYED, "true");
        fake.result(replay, 91, 6_000);

        assertThat(restore().state().judge(call(5))).isInstanceOfSatisfying(CallStanding.Answered.class,
                standing -> assertThat(standing.answer().resultOffset()).isEqualTo(90));
    }

    // Otherwise: offsets and results expire together, and what ran in the last minute before a crash runs again.
    @Test
    void aCallWhoseResultMayBeDeletedIsDoubtfulUnlessTheGroupsOffsetCounts() {
        fake.frontier(new PartitionFrontier(40, Instant.ofEpochMilli(500_000), "calls-1", 3, "resumed-1", "cluster"));
        fake.frontierAppendedAt = OptionalLong.of(0);
        fake.ends = ends(1, 90, 0, 0);
        fake.beginning = 90;
        fake.firstResult = -1;
        assertThat(restore().state().judge(call(43))).as("the group's offset").isInstanceOf(CallStanding.Fresh.class);
        fake.start = new TakeOver.Start(null, null);

        PartitionState state = restore().state();

        assertThat(state.judge(call(43))).isInstanceOf(CallStanding.Doubtful.class);
        assertThat(state.judge(numbered(40, NOW))).as("appended later than a minute after the frontier was journaled")
                .isInstanceOf(CallStanding.Fresh.class);
        fake.beginning = 0;
        assertThat(restore().state().judge(call(43))).as("no result was deleted")
                .isInstanceOf(CallStanding.Fresh.class);
    }

    // Otherwise: each worker that takes the partition over lets a loop begin anew.
    @Test
    void countsOfResultsInARowGoOn() {
        LoopKey key = requireNonNull(call(30).loopKey());
        Digest128 same = Digest128.of("same");
        looped(30, new LoopMark(6, key.turn(), same).text());
        looped(31, new LoopMark(7, key.turn(), same).text());
        looped(32, "8 of a later version");

        PartitionState state = restore().state();

        assertThat(state.loops().count(key)).isEqualTo(7);
        assertThat(state.loops().ended(key, same).count()).isEqualTo(8);
    }

    private void looped(long offset, String mark) {
        Map<String, String> headers = new HashMap<>(answerTo(call(offset), offset));
        headers.put(WireHeaders.LOOP, mark);
        fake.result(headers, offset, 700_000 + offset);
    }
}
