package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.worker.commit.CommittedPositions;
import dev.toolfleet.worker.state.SpareConsumers;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GroupOffsetsTest {
    private static final Duration FIRST = Duration.ofMillis(300);
    private final List<Duration> waits = new ArrayList<>();
    /// Time that the broker takes.
    private Duration needed = Duration.ofSeconds(1);
    private final GroupOffsets offsets = new GroupOffsets(new SpareConsumers(Slow::new), "calls", "resumed",
            AdaptiveTimeout.from(FIRST));

    private final class Slow extends MockConsumer<byte[], byte[]> {
        Slow() {
            super("earliest");
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions,
                Duration atMost) {
            waits.add(atMost);
            if (atMost.compareTo(needed) < 0)
                throw new TimeoutException("not stable after " + atMost);
            return Map.of(new TopicPartition("calls", 0), new OffsetAndMetadata(7, ""));
        }
    }

    private CommittedPositions asked(int tries) {
        for (int i = 1; i < tries; i++)
            assertThatThrownBy(() -> offsets.committed(Set.of(0))).isInstanceOf(TimeoutException.class);
        return offsets.committed(Set.of(0));
    }

    @Test
    void aBrokerThatNeedsLongerIsWaitedForTwiceAsLongEachTime() {
        assertThat(requireNonNull(asked(3).calls().get(0)).frontier()).isEqualTo(7);

        assertThat(waits).containsExactly(FIRST, FIRST.multipliedBy(2), FIRST.multipliedBy(4));
    }

    @Test
    void noAnswerIsWaitedForLongerThanTenSeconds() {
        needed = Duration.ofSeconds(10);

        asked(7);

        assertThat(waits).endsWith(Duration.ofMillis(9_600), Duration.ofSeconds(10));
    }

    @Test
    void aBrokerThatIsQuickAgainMakesThePatienceShortAgain() {
        asked(3);
        needed = Duration.ZERO;
        for (int i = 0; i < 3; i++)
            asked(1);

        assertThat(waits).endsWith(FIRST.multipliedBy(2), FIRST, FIRST);
    }
}
