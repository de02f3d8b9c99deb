package dev.toolfleet.worker.assignment;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PositionTest {
    @Test
    void hashesAreTheSameInEveryProcess() {
        assertThat(new Position(2, 7, 40)).hasSameHashCodeAs(new Position(2, 7, 40));
        assertThat(new Position(2, 7, 40).hashCode()).isEqualTo((2 * 31 + 7) * 31 + 40);
        assertThat(Position.resumed(2, 7, 40).hashCode()).isEqualTo(((31 + 2) * 31 + 7) * 31 + 40);
    }
}
