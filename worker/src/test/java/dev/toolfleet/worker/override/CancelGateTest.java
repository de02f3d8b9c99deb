package dev.toolfleet.worker.override;

import java.util.List;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.execute.EndOrder;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.recovery.IdentityStage.Entry;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;

import static org.assertj.core.api.Assertions.assertThat;

class CancelGateTest {
    private static final long CALLED_AT = 1_000;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CancelCall cancel = new CancelCall("i", "c1", null, null, null, null, null, null);
    private long writtenAt = CALLED_AT;
    private final CancelReplies cancelling = new CancelReplies(
            (call, calledAt, at) -> cancel.means(call, calledAt <= writtenAt) ? EndOrder.of(cancel) : null,
            new WorkerMeters(registry));
    private final Identified run = Identified.of(IdentifiedCall.of(new Arrival.Call(new Position(0, 1, 42),
            ToolCall.of("c1", "t__run", JsonNodeFactory.instance.objectNode(), "i"), CALLED_AT, null, 0)), 0);

    private final Entry on = new Entry.GoOn(run.recalledBy(null));

    @Test
    void aCallThatWouldGoOnEndsUnstarted() {
        assertThat(enter(on)).isInstanceOfSatisfying(Entry.Ended.class,
                ended -> assertThat(((ToolReply.Failed) ended.reply()).error()).satisfies(error -> {
                    assertThat(error.code()).isEqualTo("E_TOOL_CANCELLED");
                    assertThat(error.message()).isEqualTo("The call was cancelled before it started.");
                    assertThat(error.suggestion()).contains("did not happen");
                }));
        assertThat(registry.get(WorkerMeters.CALLS_CANCELLED).tag(WorkerMeters.STATE, "unstarted").counter().count())
                .isEqualTo(1);
    }

    @Test
    void oneThatWasWrittenLaterGoesOn() {
        writtenAt = CALLED_AT - 1;

        assertThat(enter(on)).isSameAs(on);
    }

    /// What became of a call that an earlier owner began, what was answered before, and what is another worker's.
    @Test
    void whatIsSettledStands() {
        for (Entry settled : List.of(new Entry.Ended(new ToolReply.Ok(NullNode.instance), null),
                new Entry.Settled(new Outcome(new Position(0, 1, 42), List.of())), new Entry.Left()))
            assertThat(enter(settled)).isSameAs(settled);
    }

    private Entry enter(Entry inner) {
        return new CancelGate((call, abandoned) -> inner, cancelling).enter(run, late -> {});
    }
}
