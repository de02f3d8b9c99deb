package dev.toolfleet.worker.override;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.Cancellations;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.record.JournalRecords;
import dev.toolfleet.worker.record.LoopStage;
import dev.toolfleet.worker.record.OutcomeRecords;
import dev.toolfleet.worker.record.RecordWriter;
import dev.toolfleet.worker.record.ResultRecords;
import dev.toolfleet.worker.record.SideRecords;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class PendingCancelsTest {
    private static final WireCodec<CancelCall> CODEC = WireCodec.of(CancelCall.class);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final long T = NOW.toEpochMilli();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Cancellations cancellations = new Cancellations(() -> NOW);
    private final PartitionStates states = new PartitionStates();
    private final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(10), 100),
            System::nanoTime);
    private final List<ProducerRecord<byte[], byte[]>> published = new ArrayList<>();
    private final PendingCancels pending = new PendingCancels(cancellations, states,
            new RecordWriter(new Topics("acme."), "w1", () -> NOW), published::add, new WorkerMeters(registry));

    PendingCancelsTest() {
        cancellations.tell(pending::cancelled);
    }

    @Test
    void aCancellationIsSaidOnceMoreOfTheHandlesOfTheCallsThatItMeans() {
        states.opened(0, 1, state);
        opens("c1", "s1", "h1");
        opens("c2", "s1", "h2");
        opens("c1", "s2", "h3");

        cancel(null, "s1");

        assertThat(handles()).containsExactlyInAnyOrder("h1", "h2");
        assertThat(published).allSatisfy(record -> {
            assertThat(record.topic()).isEqualTo("acme.tool.control");
            assertThat(new String(record.key(), UTF_8)).isEqualTo("i");
            assertThat(CODEC.read(record.value())).isEqualTo(
                    new CancelCall("i", null, null, CODEC.read(record.value()).handle(), "ada", "why", null, null));
        });
        assertThat(published).extracting(record -> new String(record.headers().lastHeader("ce_id").value(), UTF_8))
                .doesNotHaveDuplicates();
        assertThat(registry.get(WorkerMeters.CALLS_CANCELLED).tag(WorkerMeters.STATE, "pending").counter().count())
                .isEqualTo(2);
    }

    @Test
    void aCallThatIsPendingOnlyAfterItsCancellationIsFoundThen() {
        states.opened(0, 1, state);
        cancel("c1", null);
        assertThat(published).isEmpty();

        opens("c1", "s1", "h1");
        opens("c2", "s1", "h2");

        assertThat(handles()).containsExactly("h1");
    }

    @Test
    void itIsAskedForAsSoonAsItsPendingResultIsCommitted() {
        RecordWriter writer = new RecordWriter(new Topics(""), "w1", () -> NOW);
        ResultRecords results = new ResultRecords(writer, () -> NOW, 1_000_000);
        OutcomeRecords outcomes = new OutcomeRecords(results, new SideRecords(writer, results, () -> NOW),
                new JournalRecords(writer), () -> NOW, "", new WorkerMeters(registry), LoopStage.OFF,
                pending::pending);
        Recalled run = Identified.of(call("c1", "s1"), T).recalledBy(state);
        ToolReply reply = new ToolReply.Pending("h1", JsonNodeFactory.instance.objectNode(), null, null);
        Outcome outcome = outcomes.of(run, reply, new Guarded(reply, null));
        cancel("c1", null);
        assertThat(published).isEmpty();

        outcome.sequel().committed(1, T);

        assertThat(handles()).containsExactly("h1");
        assertThat(state.pending()).as("known before it was asked for").isEqualTo(1);
    }

    @Test
    void aTakenOverPartitionAsksForAllOfItsHandles() {
        cancel("c1", null);
        state.restorePending(open("c1", "s1", "h1"));
        state.restorePending(open("c2", "s1", "h2"));
        states.opened(0, 1, state);

        pending.opened(state);

        assertThat(handles()).containsExactly("h1");
    }

    /// Between the two steps of one another's.
    @Test
    void noInterleavingMissesAHandle() {
        states.opened(0, 1, state);
        OpenHandle first = open("c1", "s1", "h1");
        OpenHandle second = open("c2", "s1", "h2");
        List<Runnable> steps = new ArrayList<>();
        cancellations.tell((cancel, at) -> steps.forEach(Runnable::run));

        // The handle opens after the cancellation can be found, and has asked when the states were asked.
        steps.add(() -> {
            state.committedPending(call("c2", "s1"), second, 2, T);
            pending.pending(second);
        });
        // The handle is known, and has not asked when the states are.
        state.committedPending(call("c1", "s1"), first, 1, T);
        cancel(null, "s1");
        pending.pending(first);

        assertThat(handles()).as("twice harms nobody").containsOnly("h1", "h2");
    }

    @Test
    void ofAHandleItIsNotSaidAgain() {
        states.opened(0, 1, state);
        opens("c1", "s1", "h1");
        cancellations.apply(0, "i",
                CODEC.write(new CancelCall("i", null, null, "h1", "ada", "why", null, null)), T);

        assertThat(published).isEmpty();
    }

    @Test
    void ofAPartitionThatIsGivenUpNothingIsSaid() {
        states.opened(0, 1, state);
        opens("c1", "s1", "h1");
        states.closed(0, 1);
        cancel("c1", null);

        assertThat(published).isEmpty();
    }

    private void cancel(@Nullable String id, @Nullable String step) {
        cancellations.apply(0, "i", CODEC.write(new CancelCall("i", id, step, null, "ada", "why", null, null)), T);
    }

    /// As the sequel of a pending result does it.
    private void opens(String id, String step, String handle) {
        OpenHandle open = open(id, step, handle);
        state.committedPending(call(id, step), open, 1, T);
        pending.pending(open);
    }

    private static IdentifiedCall call(String id, String step) {
        return IdentifiedCall.of(new Arrival.Call(new Position(0, 1, 42), ToolCall
                .of(id, "t__run", JsonNodeFactory.instance.objectNode(), "i").inStep("coder", "turn", step, 0), T, null,
                0));
    }

    private static OpenHandle open(String id, String step, String handle) {
        IdentifiedCall call = call(id, step);
        return new OpenHandle(call.identity().text(), call.fingerprint(), handle, 42, "i", id, "coder", "turn", step,
                NOW);
    }

    private List<@Nullable String> handles() {
        List<@Nullable String> handles = new ArrayList<>();
        published.forEach(record -> handles.add(CODEC.read(record.value()).handle()));
        return handles;
    }
}
