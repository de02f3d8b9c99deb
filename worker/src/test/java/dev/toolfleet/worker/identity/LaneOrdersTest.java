package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.LaneOrder.Order;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LaneOrdersTest {
    private static final WireCodec<LaneOrder> CODEC = WireCodec.of(LaneOrder.class);
    private static final Position CALL = new Position(0, 1, 7);

    private Instant now = Instant.parse("2026-11-21T20:00:00Z");
    private final LaneOrders orders = new LaneOrders(() -> now);

    private void order(String instance, Order what, String by) {
        orders.apply(0, instance, CODEC.write(new LaneOrder(instance, what, 0, 7, by, null)), now.toEpochMilli());
    }

    private @Nullable String failedBy() {
        LaneOrder order = orders.fails("i", CALL);
        return order == null ? null : order.by();
    }

    @Test
    void anOrderHoldsForADayAndCanThenBeGivenAgain() {
        order("i", Order.FAIL, "ann");
        assertThat(failedBy()).isEqualTo("ann");

        now = now.plus(Duration.ofHours(25));
        assertThat(failedBy()).as("a day, by a clock that is an hour ahead").isEqualTo("ann");

        now = now.plusMillis(1);
        assertThat(failedBy()).isNull();
        order("i", Order.FAIL, "bob");

        assertThat(failedBy()).isEqualTo("bob");
    }

    @Test
    void anOrderForAnotherInstanceIsInNobodysWay() {
        order("other", Order.FAIL, "eve");
        order("i", Order.SKIP, "ann");

        assertThat(orders.skips("i", CALL)).isTrue();
        assertThat(failedBy()).isNull();
    }

    @Test
    void whoFailsWhatWasSkippedEndsItAndNotTheOtherWayRound() {
        order("i", Order.SKIP, "ann");
        order("i", Order.FAIL, "bob");
        order("i", Order.SKIP, "cy");

        assertThat(failedBy()).isEqualTo("bob");
    }
}
