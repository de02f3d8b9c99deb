package dev.toolfleet.policy;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.wire.LabelOrder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClearedLabelsTest {
    private Instant now = Instant.parse("2026-03-01T09:00:00Z");
    private final ClearedLabels cleared = new ClearedLabels(() -> now);

    @Test
    void anOrderClearsTheLabelsThatItNamesOfItsInstance() {
        order("i", 3, List.of("untrusted"));
        order("i", 2, null);

        assertThat(cleared.upTo("i", "untrusted")).as("the larger count").isEqualTo(3);
        assertThat(cleared.upTo("i", "sensitive")).as("an order without names").isEqualTo(2);
        assertThat(cleared.upTo("other", "untrusted")).isZero();
    }

    @Test
    void anOrderHoldsForItsTime() {
        order("i", 3, null);
        now = now.plus(LabelOrder.HOLDS);
        assertThat(cleared.upTo("i", "untrusted")).isEqualTo(3);

        now = now.plusMillis(1);
        assertThat(cleared.upTo("i", "untrusted")).isZero();
    }

    @Test
    void theOldestOrdersGoFirst() {
        order("first", 3, null);
        order("first", 4, List.of("untrusted"));
        for (int n = 1; n < ClearedLabels.MOST; n++)
            order("i" + n, 3, null);

        assertThat(cleared.upTo("first", "sensitive")).isZero();
        assertThat(cleared.upTo("first", "untrusted")).isEqualTo(4);
    }

    private void order(String instance, long upTo, @Nullable List<String> labels) {
        cleared.add(new LabelOrder(instance, LabelOrder.CLEAR, upTo, labels, "ann", null), now.toEpochMilli());
    }
}
