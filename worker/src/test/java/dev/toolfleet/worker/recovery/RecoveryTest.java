package dev.toolfleet.worker.recovery;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.execute.EndOrder;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.recovery.IdentityStage.Entry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/// What becomes of a call that an earlier owner of its partition may have run.
class RecoveryTest extends RecoveryFixture {
    // Otherwise: a call that waits for its tool's limit at the next owner, and is cancelled there, counts for ever.
    @ParameterizedTest
    @CsvSource({"1, , , 0", "2, , , 1", "1, 1, , 1", "1, , true, 1"})
    void whatACallHasSpentThatNeverBeganIsGivenBack(int attempt, @Nullable Integer died, @Nullable Boolean twice,
            long spent) {
        deaths = died;
        repeatable = twice;
        BudgetPlace mails = new BudgetPlace("acme/mails", SpentBudget.CALLS, null, null, "i");
        CallIntent first = intent();
        CallIntent intent = new CallIntent(first.identity(), first.fingerprint(), first.toolName(), attempt,
                first.worker(), first.epoch(), STARTED, "m1", DEADLINE, first.tool(), twice, null, died, null)
                .spending(List.of(SpentBudget.at(mails, 1, STARTED)));
        PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10), System::nanoTime);
        state.budgets().restoreOpen(intent);
        owners.said.put(identity(), handOver(attempt, "m1", null));

        assertThat(recovery().settle(run.identified().recalledBy(state), intent, abandoned::add))
                .isInstanceOf(Entry.GoOn.class);
        assertThat(state.budgets().spent(mails)).isEqualTo(spent);
    }

    @Test
    void theOutcomeThatTheOldOwnerHandsOverIsTheCallsOutcome() {
        owners.whenAsked = () -> {
            if (owners.asked.size() > 4)
                owners.said.put(identity(), handOver(1, "m1", ok()));
        };

        Entry entry = settle();

        assertThat(entry).isInstanceOfSatisfying(Entry.Ended.class,
                ended -> assertThat(((ToolReply.Ok) ended.reply()).output().path("done").asString())
                        .isEqualTo("there"));
        assertThat(run.intent()).as("closed by the result").isNotNull();
        assertThat(asked).isEmpty();
    }

    @Test
    void whatAMemberSaidBeforeItLeftIsHeard() {
        owners.member = false;
        owners.lastWords = handOver(1, "m1", ok());

        assertThat(settle()).isInstanceOf(Entry.Ended.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void whatAMemberSaidAsItLeftBetweenTwoLooksIsHeard() {
        owners.lastWords = handOver(1, "m1", ok());
        owners.whenAsked = () -> owners.member = false;

        assertThat(settle()).as("it was a member before the news, so the topic is read up to its end first")
                .isInstanceOfSatisfying(Entry.Ended.class,
                        ended -> assertThat(ended.reply()).isInstanceOf(ToolReply.Ok.class));
    }

    @Test
    void aCallWhoseEntryCannotBeReadIsUnknownAndItsEndClosesTheEntry() {
        Entry entry = recovery().unreadable(run);

        assertThat(code(entry)).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
        assertThat(asked).as("nobody knows which tool").isEmpty();
        assertThat(run.now().isJournaled()).isTrue();
    }

    @Test
    void aCallThatMayRunTwiceIsWaitedForAndRunAgainWhenItsWorkerIsGone() {
        repeatable = true;
        owners.whenAsked = () -> owners.member = owners.asked.size() <= 4;
        assertThat(settle()).isInstanceOf(Entry.GoOn.class);
        assertThat(run.intent()).as("closed by the result").isNotNull();
    }

    @Test
    void aCallThatNeverStartedIsStarted() {
        owners.said.put(identity(), handOver(1, "m1", null));

        assertThat(settle()).isInstanceOf(Entry.GoOn.class);
        assertThat(run.now().attempt()).as("an heir may have had the tool refuse the first").isEqualTo(2);
    }

    @Test
    void wordsOfAnotherStartOrAnotherMemberSayNothing() {
        owners.said.put(identity(), handOver(2, "m1", ok()));
        owners.member = false;
        assertThat(code(settle())).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");

        owners.said.put(identity(), new HandOver(identity(), "m1", EPOCH - 1, 1, null, null, null));
        assertThat(code(settle())).as("said before the process got the partition back and started the call")
                .isEqualTo("E_TOOL_OUTCOME_UNKNOWN");

        owners.said.put(identity(), handOver(1, "m0", ok()));
        assertThat(code(settle())).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
    }

    @Test
    void aDeadWorkersCallIsUnknownAndItsMessageNamesTheWorker() {
        owners.member = false;

        Entry entry = settle();

        assertThat(code(entry)).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
        assertThat(((ToolReply.Failed) ((Entry.Ended) entry).reply()).error().message()).contains("w1",
                STARTED.toString(), "may have happened");
        assertThat(asked).as("the module was asked first").containsExactly("run {\"n\":1}");
    }

    @Test
    void aLivingWorkerIsWaitedForUntilTheDeadlineAndItsLastWords() {
        owners.whenAsked = () -> now = now.plusSeconds(1);

        assertThat(code(settle())).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");

        assertThat(now).isBetween(DEADLINE.plusSeconds(5), DEADLINE.plusSeconds(8));
    }

    // Otherwise: the deadline has passed by the heir's clock while the call runs at the other worker.
    @Test
    void anHeirWhoseClockIsWrongWaitsAsLongForALivingWorker() {
        for (Duration wrong : List.of(Duration.ofHours(1), Duration.ofHours(-1))) {
            now = STARTED;
            ahead = wrong;
            owners.said.clear();
            owners.whenAsked = () -> {
                now = now.plusSeconds(1);
                if (now.equals(DEADLINE))
                    owners.said.put(identity(), handOver(1, "m1", ok()));
            };
            assertThat(settle()).as("%s", wrong).isInstanceOfSatisfying(Entry.Ended.class,
                    ended -> assertThat(ended.reply()).isInstanceOf(ToolReply.Ok.class));

            now = STARTED;
            owners.said.clear();
            owners.whenAsked = () -> now = now.plusSeconds(1);
            assertThat(code(settle())).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
            assertThat(now).as("%s", wrong).isBetween(DEADLINE.plusSeconds(5), DEADLINE.plusSeconds(8));
        }
    }

    @Test
    void whatTheModuleKnowsIsTheResult() {
        owners.member = false;
        answer = Reconciliation.happened(Map.of("done", "before"));
        assertThat(settle()).isInstanceOfSatisfying(Entry.Ended.class, ended -> assertThat(
                ((ToolReply.Ok) ended.reply()).output().path("done").asString()).isEqualTo("before"));
    }

    @Test
    void whatDidNotHappenIsStartedAgainAsTheNextAttempt() {
        owners.member = false;
        answer = Reconciliation.didNotHappen();

        assertThat(settle()).isInstanceOf(Entry.GoOn.class);
        assertThat(run.now().attempt()).isEqualTo(2);
    }

    @Test
    void theModuleIsAskedAlsoOfACallThatWasCancelled() {
        owners.member = false;
        cancelled = (call, calledAt, at) -> new EndOrder(false, null, null);
        answer = Reconciliation.happened(Map.of("done", "before"));

        assertThat(settle()).as("open intents come first").isInstanceOfSatisfying(Entry.Ended.class,
                ended -> assertThat(ended.reply()).isInstanceOf(ToolReply.Ok.class));
    }

    @Test
    void aModuleThatFailsKnowsNothing() {
        owners.member = false;
        answer = null;

        assertThat(code(settle())).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
    }

    // It would otherwise hold its partitions for its whole drain, for a call that it does not run.
    @Test
    void aWorkerThatLeavesWaitsForNobodyAndLeavesTheCallToTheNext() {
        owners.whenAsked = () -> leaving = true;

        assertThat(settle()).isEqualTo(new Entry.Left());
        assertThat(asked).isEmpty();
    }

    // The predecessor's name is not ours to say in that nobody knows.
    @Test
    void aQuestionThatIsCutOffIsLeftToTheNextOwner() {
        owners.member = false;
        whenReconciled = () -> leaving = true;

        assertThat(settle()).isEqualTo(new Entry.Left());
        assertThat(asked).hasSize(1);
        assertThat(inheritance.noted).as("who stops in order has not died of it").containsExactly("inherited after 1",
                "returned after 1");
    }

    @Test
    void whoLosesThePartitionLeavesTheCallToTheNext() {
        owners.whenAsked = () -> ownership.publish(new Ownership.Snapshot(ownership.current().group(), Map.of()));

        assertThat(settle()).isEqualTo(new Entry.Left());
        assertThat(asked).isEmpty();
    }

    @Test
    void whatTheCallSaidToAgentsIsHandedOverWithItsResult() {
        AgentEvent event = new AgentEvent("e1", AgentEvent.Type.EVENT, null, new AgentAddress("reviewer", "i"), null,
                null, null, null, null, null, null, null, null, null, STARTED, null, null);
        owners.said.put(identity(),
                new HandOver(identity(), "m1", EPOCH, 1, ok(), null, null, List.of(event), null));

        settle();

        assertThat(run.sends().events()).containsExactly(event);
    }
}
