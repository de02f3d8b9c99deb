package dev.toolfleet.cli.console;

import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.toolfleet.cli.console.FleetPicture.Stretch;
import dev.toolfleet.cli.explain.GroupState;
import dev.toolfleet.cli.explain.WorkerQueries;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.console.operate.OperatorCommands.FleetState;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.commit.DoneOffsets;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/// Reader of the fleet's state: the brokers know the owner of each partition and the calls that are done, the workers
/// what they do now.
///
/// **Threads.** Thread-safe. Every call reads; the pages keep an answer for some seconds.
final class FleetReader {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String CALLS = "/v1/calls";
    private static final String HOSTS = "/v1/hosts";
    /// Up to this distance, the records behind the frontier are read to find out which of them are calls.
    private static final int NEAR = 20;

    private final FleetConfig config;
    private final String group;
    private final Supplier<List<URI>> workers;
    private final InstantSource clock;

    FleetReader(FleetConfig config, Supplier<List<URI>> workers, InstantSource clock) {
        this.config = config.copy();
        this.group = GroupState.id(this.config);
        this.workers = workers;
        this.clock = clock;
    }

    /// Returns the state. What cannot be read is missing, and is named among the problems.
    FleetState read() {
        try {
            return picture().state();
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            return unread("The reading of the fleet's state was interrupted.");
        } catch (KafkaException e) {
            return unread("The brokers could not be read: " + e.getMessage());
        } catch (Failure e) {
            return unread(String.valueOf(e.getMessage()));
        }
    }

    private FleetState unread(String problem) {
        return new FleetState(group, List.of(), List.of(), List.of(problem));
    }

    private FleetPicture picture() throws InterruptedException {
        GroupState members = GroupState.of(config);
        Map<Integer, Stretch> log = log(members);
        WorkerQueries queries = WorkerQueries.of(config, workers.get());
        List<URI> addresses = queries.addresses(members);
        return new FleetPicture(members, log, addresses.isEmpty(), queries.get(addresses, CALLS),
                queries.get(addresses, HOSTS), clock.instant());
    }

    private Map<Integer, Stretch> log(GroupState members) {
        Map<Integer, Stretch> log = new HashMap<>();
        try (TopicScan scan = TopicScan.open(config.kafka().clientProperties(), TIMEOUT, TopicScan.Gauge.SILENT)) {
            List<TopicPartition> partitions = scan.partitions(config.topics().topics().name(Topic.CALL));
            Map<TopicPartition, Long> beginnings = scan.beginnings(partitions);
            Map<TopicPartition, Long> ends = scan.ends(partitions);
            for (TopicPartition partition : partitions) {
                long end = ends.getOrDefault(partition, 0L);
                DoneOffsets done = members.done(partition.partition(), beginnings.getOrDefault(partition, 0L));
                long lag = FleetPicture.open(done, end);
                if (lag > 0 && end - done.frontier() <= NEAR)
                    lag = calls(scan, partition, done, end);
                log.put(partition.partition(), new Stretch(end, lag));
            }
        }
        return log;
    }

    /// Counts the records that are not done. Markers of transactions have offsets, and are no records. Otherwise: a
    /// partition whose last record is such a marker has a lag of 1 for ever.
    private static long calls(TopicScan scan, TopicPartition partition, DoneOffsets done, long end) {
        long[] open = new long[1];
        scan.read(Map.of(partition, done.frontier()), Map.of(partition, end), record -> {
            if (!done.isDone(record.offset()))
                open[0]++;
        });
        return open[0];
    }
}
