package dev.toolfleet.gateway.webhook;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class ReceiverSlotsTest {
    private final ReceiverSlots slots = new ReceiverSlots();

    private List<ReceiverSlots.Slot> takeAll(String receiver, int wanted) {
        List<ReceiverSlots.Slot> taken = new ArrayList<>();
        for (int i = 0; i < wanted; i++)
            taken.add(slots.take(receiver, 10));
        taken.removeIf(Objects::isNull);
        return taken;
    }

    @Test
    void aSlowReceiverHoldsAFewPlacesOnly() {
        assertThat(takeAll("slow:443", 1000)).hasSize(ReceiverSlots.EACH);
        assertThat(slots.take("other:443", 10)).isNotNull();
    }

    @Test
    void tenThousandReceiversThatAreDownLeaveRoomForOthers() {
        for (int n = 0; n < 10_000; n++)
            slots.release(requireNonNull(slots.take("down" + n + ":443", 10)), false);

        int underWay = 0;
        for (int n = 0; n < 10_000; n++)
            underWay += slots.take("down" + n + ":443", 10) == null ? 0 : 1;

        assertThat(underWay).isEqualTo(ReceiverSlots.FAILING);
        assertThat(takeAll("up:443", 1000)).hasSize(ReceiverSlots.EACH);
    }

    @Test
    void aReceiverThatFailsGetsFewerPlacesUntilItTakesAResult() {
        slots.release(requireNonNull(slots.take("a:443", 10)), false);
        List<ReceiverSlots.Slot> few = takeAll("a:443", 100);
        assertThat(few).hasSize(ReceiverSlots.EACH_FAILING);

        few.forEach(slot -> slots.release(slot, true));
        assertThat(takeAll("a:443", 100)).hasSize(ReceiverSlots.EACH);
    }

    @Test
    void placesInAllAndBytesAreBounded() {
        int taken = 0;
        for (int n = 0; n < 2 * ReceiverSlots.ALL; n++)
            taken += slots.take("r" + n + ":443", 10) == null ? 0 : 1;
        assertThat(taken).isEqualTo(ReceiverSlots.ALL);

        ReceiverSlots large = new ReceiverSlots();
        assertThat(large.take("a:443", Integer.MAX_VALUE)).as("a single large one").isNotNull();
        assertThat(large.take("b:443", 1)).isNull();
    }
}
