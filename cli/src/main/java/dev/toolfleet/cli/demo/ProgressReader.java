package dev.toolfleet.cli.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// Reads what calls say of their progress, from the beginning. Used by one thread.
final class ProgressReader implements AutoCloseable {
    private static final WireCodec<ToolProgress> CODEC = WireCodec.of(ToolProgress.class);
    private static final Duration POLL = Duration.ofMillis(100);

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final TopicScan scan;

    private ProgressReader(TopicScan scan) {
        this.scan = scan;
    }

    static ProgressReader open(OneJvmFleet fleet) {
        return new ProgressReader(TopicScan.following(fleet.config().kafka().clientProperties(), TIMEOUT,
                TopicScan.partitions(fleet.config().topics().topics().name(Topic.PROGRESS), FleetPlan.PARTITIONS)));
    }

    /// Returns the events since the last call; waits a moment for them.
    List<ToolProgress> read() {
        List<ToolProgress> read = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : scan.poll(POLL))
            read.add(CODEC.read(record.value()));
        return read;
    }

    @Override
    public void close() {
        scan.close();
    }
}
