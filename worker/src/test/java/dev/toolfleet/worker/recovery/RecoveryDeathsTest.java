package dev.toolfleet.worker.recovery;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.execute.CallWaits;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.FormerCall;
import dev.toolfleet.worker.identity.LogStart;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.record.OutcomeRecords;
import dev.toolfleet.worker.record.OutcomeRecordsFixture;
import dev.toolfleet.worker.recovery.IdentityStage.Entry;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// What becomes of a call that workers died with, or that ran in a former log of its partition.
class RecoveryDeathsTest extends RecoveryFixture {
    @Test
    void theFirstWorkerThatDiesWithACallIsCounted() {
        repeatable = true;
        owners.member = false;

        assertThat(settle()).isInstanceOf(Entry.GoOn.class);
        assertThat(run.now().deaths()).isEqualTo(1);
    }

    @Test
    void aCallThatTwoWorkersDiedWithIsNotRunAgain() {
        repeatable = true;
        deaths = 1;
        owners.member = false;

        Entry entry = settle();

        assertThat(code(entry)).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
        assertThat(((ToolReply.Failed) ((Entry.Ended) entry).reply()).error().message()).contains("Two workers died",
                "w1");
        assertThat(meters.get(WorkerMeters.CALLS_POISONOUS).counter().count()).isEqualTo(1);
    }

    @Test
    void aModuleIsNotAskedAboutACallThatTwoWorkersDiedWith() {
        deaths = 1;
        owners.member = false;
        answer = Reconciliation.didNotHappen();

        assertThat(code(settle())).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
        assertThat(asked).isEmpty();
    }

    @Test
    void aWorkerThatIsInTheGroupHasNotDiedHoweverLongItIsSilent() {
        repeatable = true;
        deaths = 1;
        owners.whenAsked = () -> now = now.plusSeconds(10);

        assertThat(settle()).isInstanceOf(Entry.GoOn.class);
        assertThat(run.now().deaths()).isEqualTo(1);
    }

    @Test
    void aCallThatItsWorkerHandedBackHasCostNoWorkerMore() {
        repeatable = true;
        deaths = 1;
        owners.member = false;
        owners.lastWords = handOver(1, "m1", null);

        assertThat(settle()).isInstanceOf(Entry.GoOn.class);
        assertThat(run.now().deaths()).isEqualTo(1);
    }

    // A module, or the guard over its answer, may be what kills.
    @Test
    void whoAsksAModuleNotesThatFirst() {
        owners.member = false;
        whenReconciled = () -> assertThat(inheritance.noted).containsExactly("inherited after 1");

        settle();

        assertThat(asked).hasSize(1);
    }

    @Test
    void whoDiedWhileItDecidedCountsAsWell() {
        owners.member = false;
        deaths = 1;
        heir = "m2";

        assertThat(code(settle())).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
        assertThat(asked).isEmpty();
    }

    @Test
    void whoLivesAndLeftTheDecisionToTheNextCountsNot() {
        deaths = 1;
        heir = "m2";
        owners.left.put("m2", false);
        owners.member = false;
        answer = Reconciliation.happened(Map.of("done", "before"));

        assertThat(settle()).isInstanceOfSatisfying(Entry.Ended.class,
                ended -> assertThat(ended.reply()).isInstanceOf(ToolReply.Ok.class));
        assertThat(inheritance.noted).containsExactly("inherited after 1");
    }

    @Test
    void anAnswerThatMayHaveKilledItsReaderIsNotedBeforeItIsRead() {
        deaths = 1;
        owners.said.put(identity(), handOver(1, "m1", ok()));

        assertThat(settle()).isInstanceOf(Entry.Ended.class);
        assertThat(inheritance.noted).containsExactly("inherited after 1");
    }

    @Test
    void anAnswerIsReadWithoutANoteWhereNoWorkerDied() {
        owners.said.put(identity(), handOver(1, "m1", ok()));

        settle();

        assertThat(inheritance.noted).isEmpty();
    }

    @Test
    void withoutThePartitionNobodyIsAsked() {
        owners.member = false;
        inheritance.owned = false;

        assertThat(settle()).isEqualTo(new Entry.Left());
        assertThat(asked).isEmpty();
    }

    // Otherwise: a call of a topic that was made anew starts beside one of the old topic.
    @Test
    void aCallOfAFormerLogIsWaitedForWhileItsWorkerMayRunIt() {
        FormerCall former = new FormerCall(intent(), Duration.ofSeconds(10));
        owners.whenAsked = () -> now = now.plusSeconds(1);
        assertThat(recovery().outlasts(run, former)).isTrue();
        assertThat(now).as("it says nothing").isBetween(STARTED.plusSeconds(15), STARTED.plusSeconds(18));

        now = STARTED;
        owners.said.put(identity(), handOver(1, "m1", ok()));
        assertThat(recovery().outlasts(run, former)).isTrue();
        assertThat(now).as("it has ended").isEqualTo(STARTED.plusSeconds(1));

        owners.said.clear();
        owners.whenAsked = () -> leaving = true;
        assertThat(recovery().outlasts(run, former)).isFalse();
    }

    @Test
    void aCallStartsWhenThatOfTheFormerLogHasEnded() {
        PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10), System::nanoTime);
        String former = "[\"i\",\"coder\",\"turn\",\"step\",\"c0\"]";
        state.restoreStart(new LogStart(0, 100, 0, false, LogStart.Doubt.NONE));
        state.restoreOpen(new CallIntent(former, run.call().fingerprint(), "t__run", 1, "w1", EPOCH, STARTED, "m1",
                DEADLINE, null, null, null, null, null), -1);
        state.restored(0, -1);
        PartitionStates states = new PartitionStates();
        states.opened(POSITION.partition(), POSITION.epoch(), state);
        owners.whenAsked = () -> {
            now = now.plusSeconds(1);
            if (now.equals(STARTED.plusSeconds(20)))
                owners.said.put(former, new HandOver(former, "m1", EPOCH, 1, ok(), null, null));
        };
        OutcomeRecords outcomes = new OutcomeRecordsFixture() {
        }.outcomes;
        StartGate starts = new StartGate(new StartGate.Starts() {
            @Override
            public CompletableFuture<@Nullable Long> note(CallFacts call) {
                throw new AssertionError("no worker died");
            }

            @Override
            public void left(CallFacts call) {
                throw new AssertionError("no worker died");
            }
        }, new CallWaits(new RunningHandlers(), ownership,
                new CancelReplies(cancelled, new WorkerMeters(new SimpleMeterRegistry()))), () -> now);
        IdentityGate gate = new IdentityGate(states, outcomes, new Replays((partition, offset) -> null, outcomes),
                recovery(), starts);

        assertThat(gate.enter(run.identified(), abandoned::add)).isInstanceOf(Entry.GoOn.class);
        assertThat(now).isEqualTo(STARTED.plusSeconds(20));
        assertThat(state.former().before(run.call())).as("the next one does not wait").isEmpty();
    }
}
