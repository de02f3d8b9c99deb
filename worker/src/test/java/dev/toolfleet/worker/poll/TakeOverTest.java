package dev.toolfleet.worker.poll;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.PartitionFrontier;
import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.CallStanding;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.PartitionState;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class TakeOverTest extends TakeOverFixture {
    @Test
    void endsAreTakenBehindTheStableOffsetAndEverythingIsReadUpToThem() {
        fake.ends = ends(5, 7, 9, 11);

        restore();

        assertThat(fake.asked).containsExactly("start", "ends", "read JOURNAL 0 to 5", "appended at 40",
                "newest RESULT", "result since 400000", "result since 940000", "read RESULT 3 to 7", "steps to 9");
    }

    @Test
    void withoutACommittedOffsetTheOldestCallIsTheFirst() {
        fake.start = new TakeOver.Start(null, null);

        assertThat(restore().start()).isEqualTo(DoneOffsets.from(17));
    }

    @Test
    void nothingBelowTheJournaledFrontierStartsAgain() {
        fake.frontier(new PartitionFrontier(60, Instant.ofEpochMilli(500_000), "calls-1", 3, "resumed-1", "cluster"));

        TakeOver.Restored restored = restore();

        assertThat(restored.start().frontier()).isEqualTo(60);
        assertThat(restored.found()).extracting(Discrepancy::kind).containsExactly(Discrepancy.Kind.SET_BACK);
    }

    // Otherwise: a commit's end is unknown, the old offsets are read back, and what lies below them counts as published.
    @Test
    void offsetsThatDoNotCountAreReplacedBeforeAnOutcomeIsCommitted() {
        assertThat(restore().from().alone()).as("the group's offset counts").isFalse();
        fake.start = new TakeOver.Start(null, null);
        assertThat(restore().from().alone()).as("there is nothing to replace").isFalse();

        fake.start = new TakeOver.Start(DoneOffsets.from(40), null);
        fake.frontier(new PartitionFrontier(60, Instant.ofEpochMilli(500_000), "calls-0", 3, "resumed-1", "cluster"));
        assertThat(restore().from().alone()).as("offsets of calls in another log").isTrue();
    }

    @Test
    void offsetsOfResumedCallsThatDoNotCountAreReplacedToo() {
        fake.start = new TakeOver.Start(DoneOffsets.from(40), DoneOffsets.from(300));

        assertThat(restore().from().alone()).isTrue();
    }

    // Otherwise: outcomes below the old offset are skipped, and their calls wait for ever.
    @Test
    void outcomesOfATruncatedTopicAreReadFromTheOldestCallThatWaits() {
        fake.start = new TakeOver.Start(DoneOffsets.from(40), DoneOffsets.from(300));
        fake.journal("waiting", HANDLES.write(handle("waiting", 605_000)));
        fake.firstResumed = 12;

        TakeOver.Restored restored = restore();

        assertThat(restored.resumed()).isEqualTo(DoneOffsets.from(12));
        assertThat(restored.found()).extracting(Discrepancy::kind).containsExactly(Discrepancy.Kind.TRUNCATED);
    }

    @Test
    void outcomesOfATopicThatWasMadeAnewAreReadFromTheOldestCallThatWaits() {
        fake.start = new TakeOver.Start(DoneOffsets.from(60), DoneOffsets.from(30));
        fake.frontier(new PartitionFrontier(60, Instant.ofEpochMilli(500_000), "calls-1", 3, "resumed-0", "cluster"));
        fake.journal("waiting", HANDLES.write(handle("waiting", 605_000)));
        fake.firstResumed = 2;

        assertThat(restore().resumed()).isEqualTo(DoneOffsets.from(2));
    }

    @Test
    void whatComesForPendingCallsIsReadFromWhereTheGroupStands() {
        fake.start = new TakeOver.Start(DoneOffsets.from(40), new DoneOffsets(23, List.of(1, 2)));
        fake.journal("waiting", HANDLES.write(handle("waiting", 5_000)));

        assertThat(restore().resumed()).isEqualTo(new DoneOffsets(23, List.of(1, 2)));
        assertThat(fake.asked).noneMatch(asked -> asked.startsWith("call_resumed"));
    }

    // A group's offsets of a topic that it does not subscribe to expire.
    @Test
    void withoutAnOffsetItIsReadFromTheOldestCallThatWaits() {
        fake.journal("first", HANDLES.write(handle("first", 605_000)));
        fake.journal("second", HANDLES.write(handle("second", 604_000)));
        fake.journal("ended", HANDLES.write(handle("ended", 1_000)));
        fake.journal("ended", null);
        fake.firstResumed = 12;

        TakeOver.Restored restored = restore();

        assertThat(fake.asked).as("a minute before it: the topics' leaders have clocks of their own")
                .contains("call_resumed since 544000");
        assertThat(restored.resumed()).isEqualTo(DoneOffsets.from(12));
        assertThat(restored.state().pending()).isEqualTo(2);
    }

    @Test
    void withoutAnOffsetAndWithoutAPendingCallItIsReadFromItsEnd() {
        fake.ends = ends(0, 7, 0, 77);

        assertThat(restore().resumed()).isEqualTo(DoneOffsets.from(77));
    }

    @Test
    void anOpenHandleTakesThePlaceOfItsIntent() {
        fake.journal("call", INTENTS.write(intent("call")));
        fake.journal("call", HANDLES.write(handle("call", 5_000)));

        PartitionState state = restore().state();

        assertThat(state.open()).isEmpty();
        assertThat(state.pending()).isEqualTo(1);
    }

    @Test
    void intentsWithoutTombstoneAreOpen() {
        CallIntent open = intent("open");
        fake.journal("done", INTENTS.write(intent("done")));
        fake.journal("open", INTENTS.write(open));
        fake.journal("done", null);

        assertThat(restore().state().open()).containsOnly(Map.entry("open", open));
    }

    @Test
    void journalRecordsThatAreNotUnderstoodArePassedOver() {
        CallIntent open = intent("open");
        fake.journal("torn", "{".getBytes(UTF_8));
        fake.journal("other", "{\"handle\":\"h\"}".getBytes(UTF_8));
        fake.journal("mine", INTENTS.write(intent("yours")));
        fake.journal(null, null);
        fake.journal("open", INTENTS.write(open));

        assertThat(restore().state().open()).containsOnly(Map.entry("open", open));
    }

    // Otherwise: a later version began the call, and after a rollback it runs again.
    @Test
    void aCallWithAJournalEntryOfALaterVersionIsNotRun() {
        IdentifiedCall call = IdentifiedCall.of(new Arrival.Call(new Position(0, 1, 60),
                ToolCall.of("c1", "t__run", JsonNodeFactory.instance.objectNode(), "i").inStep("coder", "t", "s", 0), 0,
                null, 10));
        String identity = call.identity().text();
        fake.journal(identity, INTENTS.write(intent(identity)));
        fake.journal(identity, "{\"kind\":\"waits-for-input\",\"handle\":\"h\"}".getBytes(UTF_8));

        PartitionState state = restore().state();

        assertThat(state.judge(call)).isEqualTo(new CallStanding.Unreadable());
    }

    @Test
    void anEntryUnderAReservedKeyOfALaterVersionIsNoCall() {
        fake.journal("@lease", "{\"kind\":\"lease\"}".getBytes(UTF_8));

        assertThat(restore().state().open()).isEmpty();
    }

    @Test
    void theCallsOfAnOwnerThatLeftWithoutAWordAreSuspected() {
        fake.journal(PartitionOwner.KEY, OWNERS.write(owner("m1")));
        fake.left.add("m1");

        PartitionState state = restore().state();

        assertThat(state.suspects().contains(new Position(0, 1, 99))).isTrue();
        assertThat(state.suspects().contains(new Position(0, 1, 100))).as("appended since").isFalse();
        assertThat(state.suspects().contains(Position.resumed(0, 1, 99))).isTrue();
    }

    // Otherwise: a rolling restart counts as a row of deaths.
    @Test
    void anOwnerThatGaveThePartitionUpInOrderIsNoDeath() {
        fake.journal(PartitionOwner.KEY, OWNERS.write(owner("m1")));
        fake.journal(PartitionOwner.KEY, null);
        fake.left.add("m1");

        assertThat(restore().state().suspects().contains(new Position(0, 1, 40))).isFalse();
        assertThat(fake.asked).as("nobody is asked for").doesNotContain("has left m1");
    }

    @Test
    void anOwnerThatIsStillInTheGroupIsNoDeath() {
        fake.journal(PartitionOwner.KEY, OWNERS.write(owner("m1")));

        assertThat(restore().state().suspects().contains(new Position(0, 1, 40))).isFalse();
    }

    @Test
    void theNewestOwnerCounts() {
        fake.journal(PartitionOwner.KEY, OWNERS.write(owner("m1")));
        fake.journal(PartitionOwner.KEY, OWNERS.write(owner("m2")));
        fake.left.add("m1");

        assertThat(restore().state().suspects().contains(new Position(0, 1, 40))).isFalse();
    }

    // Otherwise: the heir of a dead owner loses the partition before it has noted the guilty call, lives on, and the call
    // kills two workers more.
    @Test
    void aDeathIsNotForgottenWithAnHeirThatLostThePartitionAndLives() {
        PartitionOwner dead = owner("m1").diedBefore(60, 60);
        fake.journal(PartitionOwner.KEY, OWNERS.write(new PartitionOwner("w2", "m2", Instant.EPOCH, 0, dead)));
        fake.left.add("m1");

        PartitionState state = restore().state();

        assertThat(state.suspects().contains(new Position(0, 1, 59))).isTrue();
        assertThat(state.suspects().contains(new Position(0, 1, 60))).as("appended after the death").isFalse();
        assertThat(state.suspects().deadOwner()).isEqualTo(dead);
    }

    @Test
    void anHeirThatDiesTooMayHaveHadAllCallsOfItsPartition() {
        PartitionOwner dead = new PartitionOwner("w", "m1", Instant.EPOCH, 500, null).diedBefore(60, 60);
        fake.journal(PartitionOwner.KEY, OWNERS.write(new PartitionOwner("w2", "m2", Instant.EPOCH, 20, dead)));
        fake.left.addAll(List.of("m1", "m2"));

        assertThat(restore().state().suspects().deadOwner())
                .isEqualTo(new PartitionOwner("w2", "m2", Instant.EPOCH, 500, null).diedBefore(100, 100));
    }

    private static PartitionOwner owner(String member) {
        return new PartitionOwner("w", member, Instant.EPOCH, 0, null);
    }
}
