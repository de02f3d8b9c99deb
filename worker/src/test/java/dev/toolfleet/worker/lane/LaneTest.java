package dev.toolfleet.worker.lane;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.identity.Arrival;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

class LaneTest {
    private static final LaneSlot.Owner NOBODY = new LaneSlot.Owner() {
        @Override
        public void ended(LaneSlot slot) {}

        @Override
        public void passed(LaneSlot slot) {}
    };

    private final List<LaneSlot> started = new ArrayList<>();

    private LaneSlot slot(long offset) {
        ToolCall call = ToolCall.of("c" + offset, "write", JsonNodeFactory.instance.objectNode(), "i");
        return new LaneSlot(NOBODY,
                new Arrival.Call(new Position(0, LanesFixture.EPOCH, offset), call, 0, null, 1),
                false, offset);
    }

    @Test
    void aLaneThatWentOnPastACallHasMovedWhenItsNextOneStarts() {
        Lane lane = new Lane(0);
        lane.add(slot(0));
        lane.startable(started::add, 1);
        lane.pass(started.getFirst(), 2);

        lane.add(slot(1));
        lane.startable(started::add, 100);
        lane.add(slot(2));
        lane.startable(started::add, 101);

        assertThat(started).hasSize(2);
        assertThat(lane.movedAt()).as("when it last let a call start").isEqualTo(100);
    }
}
