package dev.toolfleet.worker.commit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Records that may be lost, beside records that must not be.
class DroppableRecordsTest {
    private final LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 3);

    @Test
    void theyGoBesideWhatElseIsPublishedAndAlsoAlone() {
        say("10 %");
        fleet.finish(0, 1, 0);
        fleet.loop.step();
        say("20 %");
        fleet.loop.step();

        assertThat(fleet.published()).containsExactly("0/0", "10 %", "20 %");
    }

    @Test
    void aTopicThatCannotBeWrittenHoldsUpNoResult() {
        fleet.refused = value -> value.endsWith("%") ? new NotLeaderOrFollowerException("nobody leads it") : null;
        fleet.reachable = false;
        say("10 %");
        fleet.finish(0, 1, 0);
        fleet.loop.step();
        fleet.loop.step();
        assertThat(fleet.published()).as("without it").containsExactly("0/0");

        fleet.refused = value -> {
            assertThat(value).as("not even tried").doesNotEndWith("%");
            return null;
        };
        say("20 %");
        fleet.finish(0, 1, 1);
        fleet.loop.step();
        after(Duration.ofSeconds(11));
        say("30 %");
        fleet.loop.step();
        assertThat(fleet.published()).containsExactly("0/0", "0/1");

        fleet.refused = value -> null;
        fleet.reachable = true;
        after(Duration.ofSeconds(21));
        fleet.loop.step();
        say("40 %");
        fleet.loop.step();
        assertThat(fleet.published()).containsExactly("0/0", "0/1", "40 %");
        assertThat(fleet.told).as("no partition sat out").isEmpty();
    }

    @Test
    void whatTheBrokerRefusesTakesNoResultWithIt() {
        fleet.refused = value -> value.endsWith("%") ? new RecordTooLargeException("too large") : null;
        say("10 %");
        fleet.finish(0, 1, 0);
        fleet.settle();

        assertThat(fleet.published()).containsExactly("0/0");
    }

    @Test
    void theyAreNotTriedAgain() {
        fleet.producers.getFirst().commitTransactionException = new org.apache.kafka.common.KafkaException("no");
        say("10 %");
        fleet.finish(0, 1, 0);
        fleet.loop.step();
        fleet.producers.forEach(producer -> producer.commitTransactionException = null);
        fleet.settle();

        assertThat(fleet.published()).containsExactly("0/0");
    }

    @Test
    void theOldestLeaveWhenTooManyWait() {
        for (int i = 0; i <= DroppableRecords.MOST_WAITING; i++)
            say(i + " %");
        fleet.loop.step();

        assertThat(fleet.published()).hasSize(DroppableRecords.MOST_WAITING).startsWith("1 %")
                .endsWith(DroppableRecords.MOST_WAITING + " %");
    }

    private void after(Duration time) {
        fleet.nanos += time.toNanos();
    }

    private void say(String progress) {
        fleet.loop.publishOrDrop(
                new ProducerRecord<>("progress", 0, null, progress.getBytes(StandardCharsets.UTF_8)));
    }
}
