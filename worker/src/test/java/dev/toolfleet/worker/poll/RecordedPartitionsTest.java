package dev.toolfleet.worker.poll;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RecordedPartitionsTest implements TakeOvers, PartitionListener {
    private final List<String> log = new ArrayList<>();
    private final RecordedPartitions partitions = new RecordedPartitions("tool.call", 2, this, this,
            new PartitionWatch(new WorkerMeters(new SimpleMeterRegistry()), System::nanoTime));

    @Test
    void aPartitionBeyondTheRecordedCountIsHeldAndTheOthersAreTakenOver() {
        for (int partition = 0; partition < 4; partition++)
            partitions.begin(partition, 7);

        assertThat(log).containsExactly("begin 0", "begin 1", "held 2 UNEXPECTED true", "held 3 UNEXPECTED true");
        assertThat(partitions.reasons()).hasSize(2).first().asString().contains("partition 2 of tool.call",
                "created with 2 partitions", "topics create --partitions");
    }

    @Test
    void aHeldPartitionThatGoesIsNoReasonAnyMore() {
        partitions.begin(2, 7);
        partitions.cancel(2, 7);
        partitions.begin(0, 8);
        partitions.cancel(0, 8);

        assertThat(partitions.reasons()).isEmpty();
        assertThat(log).containsExactly("held 2 UNEXPECTED true", "begin 0", "cancel 0");
    }

    @Override
    public void begin(int partition, long epoch) {
        log.add("begin " + partition);
    }

    @Override
    public void cancel(int partition, long epoch) {
        log.add("cancel " + partition);
    }

    @Override
    public void held(int partition, long epoch, Hold why, boolean on) {
        log.add("held " + partition + " " + why + " " + on);
    }

    @Override
    public void committed(int partition, long epoch, OffsetAndMetadata calls) {}

    @Override
    public void fenced() {}

    @Override
    public void failed(Throwable cause) {}
}
