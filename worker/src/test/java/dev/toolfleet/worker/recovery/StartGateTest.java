package dev.toolfleet.worker.recovery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.execute.CallWaits;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.execute.EndOrder;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.recovery.IdentityStage.Entry;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

/// What a call waits for before its first stage, and what ends that wait.
class StartGateTest {
    private static final Position POSITION = new Position(3, 7, 42);
    private static final Instant DEADLINE = Instant.parse("2026-01-01T00:00:30Z");

    private final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10),
            System::nanoTime);
    private final RunningHandlers running = new RunningHandlers();
    private final Ownership ownership = new Ownership(group());
    private final List<String> asked = new ArrayList<>();
    private final CompletableFuture<@Nullable Long> note = new CompletableFuture<>();
    private final Recalled run = run(null);
    private Instant now = DEADLINE.minusSeconds(10);
    private boolean cancelled;
    /// What happens while a call waits.
    private Runnable meanwhile = () -> {
        throw new AssertionError("nothing is to be waited for");
    };

    StartGateTest() {
        ownership.publish(new Ownership.Snapshot(group(), Map.of(3, 7L)));
    }

    @Test
    void whereNoWorkerDiedNothingIsNotedAndNothingAwaited() {
        assertThat(pass(run)).isInstanceOf(Entry.GoOn.class);
        assertThat(asked).isEmpty();
    }

    // Otherwise: it kills the worker at once, and no heir ever learns that there was an owner.
    @Test
    void noCallPassesBeforeTheOwnerIsJournaled() {
        CompletableFuture<@Nullable Long> owned = new CompletableFuture<>();
        state.ownedOnce(owned);
        meanwhile = () -> owned.complete(5L);

        assertThat(pass(run)).isInstanceOf(Entry.GoOn.class);
        assertThat(owned).isDone();
        assertThat(asked).as("no note").isEmpty();
    }

    @Test
    void aSuspectIsNotedAfterOneDeathAndPassesWhenThatIsCommitted() {
        state.suspects().restore(dead(43, 0, 0));
        meanwhile = () -> note.complete(5L);

        assertThat(pass(run)).isInstanceOf(Entry.GoOn.class);
        assertThat(asked).containsExactly("note after 1");
        assertThat(run.now().deaths()).isEqualTo(1);
    }

    @Test
    void aRecoveredCallIsNotedWithTheDeathsThatAreKnownOfIt() {
        state.suspects().restore(dead(43, 0, 0));
        note.complete(5L);

        assertThat(pass(run.after(1))).isInstanceOf(Entry.GoOn.class);
        assertThat(asked).containsExactly("note after 1");
    }

    @Test
    void whoseAssignmentEndsFirstIsHandedBack() {
        state.suspects().restore(dead(43, 0, 0));
        meanwhile = () -> note.complete(null);

        assertThat(pass(run)).isEqualTo(new Entry.Left());
        assertThat(asked).as("its note may be there: a transaction of unknown end").containsExactly("note after 1",
                "left");
    }

    @Test
    void aCallWhoseOwnerIsNotJournaledAnyMoreIsLeft() {
        state.ownedOnce(CompletableFuture.completedFuture(null));

        assertThat(pass(run)).isEqualTo(new Entry.Left());
        assertThat(asked).isEmpty();
    }

    @Test
    void whatTheBrokerRefusesEndsNoCall() {
        state.suspects().restore(dead(43, 0, 0));
        meanwhile = () -> note.completeExceptionally(new IllegalStateException("refused"));

        assertThat(pass(run)).isInstanceOf(Entry.GoOn.class);
    }

    @Test
    void aWaitingCallHearsThatItIsCancelled() {
        state.suspects().restore(dead(43, 0, 0));
        meanwhile = () -> cancelled = true;

        assertThat(code(pass(run))).isEqualTo("E_TOOL_CANCELLED");
        assertThat(asked).as("its result deletes the note").containsExactly("note after 1");
    }

    @Test
    void aWaitingCallHearsOfItsDeadline() {
        state.suspects().restore(dead(43, 0, 0));
        meanwhile = () -> now = now.plusSeconds(1);

        assertThat(code(pass(run(DEADLINE)))).isEqualTo("E_TOOL_TIMEOUT");
        assertThat(now).isEqualTo(DEADLINE);
    }

    @Test
    void aWaitingCallIsHandedBackWhenItsWorkerStops() {
        state.suspects().restore(dead(43, 0, 0));
        meanwhile = running::drain;

        assertThat(pass(run)).isEqualTo(new Entry.Left());
        assertThat(asked).containsExactly("note after 1", "left");
    }

    @Test
    void aWaitingCallIsHandedBackWhenItsPartitionMoves() {
        state.suspects().restore(dead(43, 0, 0));
        meanwhile = () -> ownership.publish(new Ownership.Snapshot(group(), Map.of()));

        assertThat(pass(run)).isEqualTo(new Entry.Left());
        assertThat(asked).containsExactly("note after 1", "left");
    }

    // What is known of it is not decided yet, so "not run" could be a lie.
    @Test
    void aCallThatIsToBeRecoveredWaitsForTheOwnerAloneAlsoWhenItIsCancelled() {
        CompletableFuture<@Nullable Long> owned = new CompletableFuture<>();
        state.ownedOnce(owned);
        cancelled = true;
        meanwhile = () -> owned.complete(5L);

        assertThat(gate().isOwned(run, state)).isTrue();
        state.ownedOnce(CompletableFuture.completedFuture(null));
        assertThat(gate().isOwned(run, state)).isFalse();
    }

    private Entry pass(Recalled call) {
        return gate().pass(call, state);
    }

    private StartGate gate() {
        CancelReplies cancelling = new CancelReplies(
                (call, calledAt, at) -> cancelled ? new EndOrder(false, null, null) : null,
                new WorkerMeters(new SimpleMeterRegistry()));
        return new StartGate(new StartGate.Starts() {
            @Override
            public CompletableFuture<@Nullable Long> note(CallFacts call) {
                asked.add("note after " + call.deaths());
                return note;
            }

            @Override
            public void left(CallFacts call) {
                asked.add("left");
            }
        }, new CallWaits(running, ownership, cancelling), (awaited, atMost) -> {
            meanwhile.run();
            return awaited.isDone();
        }, () -> now);
    }

    private static String code(Entry entry) {
        return ((ToolReply.Failed) ((Entry.Ended) entry).reply()).error().code();
    }

    private static Recalled run(@Nullable Instant deadline) {
        ToolCall call = ToolCall.of("c1", "t__run", JsonNodeFactory.instance.objectNode(), "i").inStep("coder", "turn",
                "step", 0);
        return Identified.of(IdentifiedCall.of(new Arrival.Call(POSITION,
                deadline == null ? call : call.until(deadline), 0, null, 10)), 0).recalledBy(null);
    }

    private static ConsumerGroupMetadata group() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            return member.groupMetadata();
        }
    }

    private static PartitionOwner dead(long callsEnd, long resumedEnd, int maxInFlight) {
        return new PartitionOwner("w", "m", Instant.EPOCH, maxInFlight, callsEnd, resumedEnd, null);
    }
}
