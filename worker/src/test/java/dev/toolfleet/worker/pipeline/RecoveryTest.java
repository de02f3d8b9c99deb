package dev.toolfleet.worker.pipeline;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.execute.AbandonedHandlers;
import dev.toolfleet.worker.execute.Cancelling;
import dev.toolfleet.worker.execute.DeadlineLoop;
import dev.toolfleet.worker.execute.HandlerExecutor;
import dev.toolfleet.worker.execute.Reconciling;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.execute.Unwanted;
import dev.toolfleet.worker.execute.Waits;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.FormerCall;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.LogStart;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.pipeline.IdentityStage.Entry;
import dev.toolfleet.worker.telemetry.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// What becomes of a call that an earlier owner of its partition may have run.
class RecoveryTest {
    private static final Position POSITION = new Position(3, 7, 42);
    private static final long EPOCH = 5;
    private static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant DEADLINE = STARTED.plusSeconds(30);

    private final DeadlineLoop deadlines = new DeadlineLoop();
    private final Ownership ownership = ownership();
    private final FakeEarlierOwners owners = new FakeEarlierOwners();
    private final List<ToolReply> abandoned = new ArrayList<>();
    private final CallRun run = new CallRun(IdentifiedCall.of(new Arrival.Call(POSITION,
            ToolCall.of("c1", "t__run", JsonNodeFactory.instance.objectNode().put("n", 1), "i").inStep("coder", "turn",
                    "step", 0),
            0, null, 10)), 0);
    private Instant now = STARTED;
    private Duration ahead = Duration.ZERO;
    private boolean leaving;
    private @Nullable Boolean repeatable;
    private @Nullable Integer deaths;
    private @Nullable String heir;
    private final FakeInheritance inheritance = new FakeInheritance();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Cancelling.Source cancelled = Cancelling.Source.NONE;
    private Runnable whenReconciled = () -> {};
    private @Nullable Reconciliation answer = Reconciliation.unknown();
    private final List<String> asked = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        deadlines.close();
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
    void aCallThatMayRunTwiceIsWaitedForAndRunAgainWhenItsWorkerIsGone() {
        repeatable = true;
        owners.whenAsked = () -> owners.member = owners.asked.size() <= 4;
        assertThat(settle()).isEqualTo(new Entry.GoOn());
        assertThat(run.intent()).as("closed by the result").isNotNull();
    }

    @Test
    void aCallThatNeverStartedIsStarted() {
        owners.said.put(identity(), handOver(1, "m1", null));

        assertThat(settle()).isEqualTo(new Entry.GoOn());
        assertThat(run.attempt()).as("an heir may have had the tool refuse the first").isEqualTo(2);
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

        assertThat(settle()).isEqualTo(new Entry.GoOn());
        assertThat(run.attempt()).isEqualTo(2);
    }

    @Test
    void theModuleIsAskedAlsoOfACallThatWasCancelled() {
        owners.member = false;
        cancelled = (call, calledAt, at) -> new Unwanted(false, null, null);
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

    @Test
    void theFirstWorkerThatDiesWithACallIsCounted() {
        repeatable = true;
        owners.member = false;

        assertThat(settle()).isEqualTo(new Entry.GoOn());
        assertThat(run.deaths()).isEqualTo(1);
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
        assertThat(meters.get(Meters.CALLS_POISONOUS).counter().count()).isEqualTo(1);
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

        assertThat(settle()).isEqualTo(new Entry.GoOn());
        assertThat(run.deaths()).isEqualTo(1);
    }

    @Test
    void aCallThatItsWorkerHandedBackHasCostNoWorkerMore() {
        repeatable = true;
        deaths = 1;
        owners.member = false;
        owners.lastWords = handOver(1, "m1", null);

        assertThat(settle()).isEqualTo(new Entry.GoOn());
        assertThat(run.deaths()).isEqualTo(1);
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
        PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10));
        String former = "[\"i\",\"coder\",\"turn\",\"step\",\"c0\"]";
        state.restoreStart(new LogStart(0, 100, 0, false, LogStart.Doubt.NONE));
        state.restoreOpen(new CallIntent(former, run.call().fingerprint(), "t__run", 1, "w1", EPOCH, STARTED, "m1",
                DEADLINE, null, null, null, null, null));
        state.restored(0, -1);
        PartitionStates states = new PartitionStates();
        states.opened(POSITION.partition(), POSITION.epoch(), state);
        owners.whenAsked = () -> {
            now = now.plusSeconds(1);
            if (now.equals(STARTED.plusSeconds(20)))
                owners.said.put(former, new HandOver(former, "m1", EPOCH, 1, ok(), null, null));
        };
        Outcomes outcomes = new OutcomesFixture() {
        }.outcomes;
        StartGate starts = new StartGate(new StartGate.Starts() {
            @Override
            public CompletableFuture<@Nullable Long> note(CallRun call) {
                throw new AssertionError("no worker died");
            }

            @Override
            public void left(CallRun call) {
                throw new AssertionError("no worker died");
            }
        }, new Waits(new RunningHandlers(), ownership,
                new Cancelling(cancelled, new Meters(new SimpleMeterRegistry()))), () -> now);
        IdentityGate gate = new IdentityGate(states, outcomes, new Replays((partition, offset) -> null, outcomes),
                recovery(), starts);

        assertThat(gate.enter(run, abandoned::add)).isEqualTo(new Entry.GoOn());
        assertThat(now).isEqualTo(STARTED.plusSeconds(20));
        assertThat(state.before(run.call())).as("the next one does not wait").isEmpty();
    }

    private Entry settle() {
        return recovery().settle(run, intent(), abandoned::add);
    }

    private CallIntent intent() {
        return new CallIntent(identity(), run.call().fingerprint(), "t__run", 1, "w1", EPOCH, STARTED, "m1", DEADLINE,
                new ToolRef("acme", "t", "run"), repeatable, null, deaths, heir);
    }

    private Recovery recovery() {
        InstantSource clock = () -> now.plus(ahead);
        ToolModule module = new ToolModule() {
            @Override
            public Map<String, ToolHandler> handlers() {
                return Map.of("run", (ctx, input) -> null);
            }

            @Override
            public Reconciliation reconcile(String export, ToolContext context, ObjectNode input) {
                asked.add(export + " " + input);
                whenReconciled.run();
                if (answer == null)
                    throw new IllegalStateException("the ledger does not answer");
                return answer;
            }
        };
        HandlerExecutor handlers = new HandlerExecutor(deadlines, new RunningHandlers(),
                new AbandonedHandlers(new Meters(new SimpleMeterRegistry())), ownership,
                new Cancelling(cancelled, new Meters(new SimpleMeterRegistry())), clock, Duration.ofSeconds(2),
                System::nanoTime);
        return new Recovery(owners, ownership, TestResources.registry(module, false),
                new Reconciling(handlers),
                new HandlerCalls(new Workspace(folder, clock), ownership, clock, Duration.ofSeconds(30),
                        new ProgressReports(new RecordWriter(new Topics(""), "w2", clock), ResultGuard.NONE,
                                record -> {}, deadlines, clock, System::nanoTime)),
                inheritance, () -> leaving, () -> Duration.between(STARTED, now).toNanos(), new Meters(meters));
    }

    private String identity() {
        return run.call().identity().text();
    }

    private HandOver handOver(int attempt, String member, @Nullable ToolResult result) {
        return new HandOver(identity(), member, EPOCH, attempt, result, null, null);
    }

    private ToolResult ok() {
        return new ToolResult("c1", "t__run", ResultStatus.OK,
                JsonNodeFactory.instance.objectNode().put("done", "there"), null, null, "i", "coder", "turn", "step", 1,
                false, run.call().fingerprint(), 42, null, null);
    }

    private static String code(Entry entry) {
        return ((ToolReply.Failed) ((Entry.Ended) entry).reply()).error().code();
    }

    private static Ownership ownership() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            Ownership ownership = new Ownership(member.groupMetadata());
            ownership.publish(new Ownership.Snapshot(member.groupMetadata(), Map.of(3, 7L)));
            return ownership;
        }
    }
}
