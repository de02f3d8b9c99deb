package dev.toolfleet.worker.commit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.LoopFixture.Mock;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// A topic that cannot be written costs the partitions that write to it, and no others.
class QuarantineTest {
    private final LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L, 1, 1L, 2, 1L)).tracking(0, 1, 9)
            .tracking(1, 1, 9).tracking(2, 1, 9);

    private void closed(String values) {
        fleet.refused = value -> value.startsWith(values) ? new TimeoutException("too few replicas") : null;
    }

    @Test
    void aPartitionWhoseRecordsFailedIsTriedAlone() {
        closed("2/");
        fleet.finish(2, 1, 0, 1);
        fleet.finish(1, 1, 0);
        fleet.settle();
        for (int again = 1; again < 5; again++) {
            fleet.nanos += Duration.ofMinutes(2).toNanos();
            fleet.finish(1, 1, again);
            fleet.settle();
        }

        assertThat(fleet.published()).containsExactly("1/0", "1/1", "1/2", "1/3", "1/4");
        assertThat(fleet.told).containsExactly("2@1 QUARANTINED on");
        assertThat(fleet.attempts).as("it was tried, and cost the others one transaction").contains(List.of("2/0"))
                .filteredOn(attempt -> attempt.contains("2/0") && attempt.size() > 1)
                .containsExactly(List.of("1/0", "2/0"));
    }

    @Test
    void aPartitionIsBackWhenItHasWrittenToWhatHadFailed() {
        closed("error");
        fleet.loop.finished(writing(0, 1, "error"));
        fleet.settle();
        fleet.nanos += Duration.ofSeconds(2).toNanos();
        closed("none");
        fleet.settle();

        assertThat(fleet.published()).containsExactly("error");
        assertThat(fleet.told).containsExactly("0@1 QUARANTINED on", "0@1 QUARANTINED off");
    }

    @Test
    void aTopicThatIsKnownToBeClosedIsTriedByNoOtherPartition() {
        closed("error");
        fleet.reachable = false;
        fleet.loop.finished(writing(0, 1, "error 0"));
        fleet.settle();
        fleet.loop.finished(writing(1, 1, "error 1"));
        fleet.loop.publish(record("error over"));
        fleet.finish(2, 1, 0);
        fleet.settle();

        assertThat(fleet.published()).containsExactly("2/0");
        assertThat(fleet.attempts).as("the other producer would hang too").containsExactly(List.of("error 0"),
                List.of("2/0"));
        assertThat(fleet.told).containsExactly("0@1 QUARANTINED on", "1@1 QUARANTINED on");
    }

    @Test
    void theOtherProducerGoesOnUntilTheTopicCanBeWritten() {
        closed("error");
        fleet.reachable = false;
        fleet.loop.finished(writing(0, 1, "error"));
        fleet.settle();
        commitOneByOne(0, 4);
        assertThat(fleet.producers).extracting(Mock::commitCount).containsExactly(0L, 4L);

        fleet.reachable = true;
        closed("none");
        fleet.nanos += Duration.ofSeconds(2).toNanos();
        commitOneByOne(4, 8);
        assertThat(fleet.producers.getFirst().commitCount()).isPositive();
        assertThat(fleet.published()).contains("error");
    }

    @Test
    void aFlushWaitsForTheAnswerAboutATopicAndNotForThePartitionThatSitsOut() {
        closed("0/");
        fleet.reachable = false;
        fleet.finish(0, 1, 0);
        var flushed = fleet.loop.flush();
        fleet.settle();

        assertThat(flushed).isCompleted();
        assertThat(fleet.told).containsExactly("0@1 QUARANTINED on");
    }

    private void commitOneByOne(int from, int to) {
        for (int offset = from; offset < to; offset++) {
            fleet.finish(1, 1, offset);
            fleet.loop.step();
        }
        fleet.settle();
    }

    private static Outcome writing(int partition, long offset, String value) {
        return new Outcome(new Position(partition, 1, offset), List.of(record(value)));
    }

    private static ProducerRecord<byte[], byte[]> record(String value) {
        return new ProducerRecord<>("errors", value.getBytes(StandardCharsets.UTF_8));
    }
}
