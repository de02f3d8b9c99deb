package dev.toolfleet.streams;

import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RestoreProgressTest {
    private static final TopicPartition ONE = new TopicPartition("changelog", 0);
    private static final TopicPartition TWO = new TopicPartition("changelog", 1);

    private final RestoreProgress progress = new RestoreProgress();

    @Test
    void whatIsLeftIsTheSumOfAllChangelogs() {
        assertThat(progress.left()).isZero();
        progress.onRestoreStart(ONE, "calls", 100, 200);
        progress.onRestoreStart(TWO, "calls", 0, 50);
        assertThat(progress.left()).isEqualTo(150);

        progress.onBatchRestored(ONE, "calls", 149, 40);
        assertThat(progress.left()).as("marks of transactions are read too").isEqualTo(100);
        progress.onRestoreEnd(ONE, "calls", 90);
        assertThat(progress.left()).isEqualTo(50);
        progress.onRestoreSuspended(TWO, "calls", 0);
        assertThat(progress.left()).isZero();
    }

    @Test
    void aBatchOfAnEndedRestorationChangesNothing() {
        progress.onRestoreStart(ONE, "calls", 0, 200);
        progress.onRestoreEnd(ONE, "calls", 200);
        progress.onBatchRestored(ONE, "calls", 99, 100);
        assertThat(progress.left()).isZero();
    }
}
