package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.PartitionListener.Hold;
import dev.toolfleet.worker.identity.PendingTool;
import dev.toolfleet.worker.lane.LaneSnapshot;
import dev.toolfleet.worker.poll.OwnershipCounts.Reading;
import dev.toolfleet.worker.telemetry.LoadMeters;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoadWatchTest {
    private static final long EPOCH = 7;
    private static final Reading READING = new Reading(0, EPOCH, true, Set.of(), 0);
    private static final LaneSnapshot.Load MOST_RUN = new LaneSnapshot.Load(8, 2, 2);
    private static final LaneSnapshot.Load ONE_IS_STUCK = new LaneSnapshot.Load(1, 500, 500);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final WorkerMeters meters = new WorkerMeters(registry);
    private final PartitionWatch partitions = new PartitionWatch(meters, System::nanoTime);
    private final Fake worker = new Fake();
    private long nanos;
    private final LoadWatch watch = new LoadWatch(worker, partitions, meters, () -> Instant.ofEpochSecond(100),
            () -> nanos);

    private static final class Fake implements LoadWatch.Watched {
        List<Reading> readings = List.of(READING);
        LaneSnapshot.Load load = LaneSnapshot.Load.NONE;
        LaneSnapshot.Full full = LaneSnapshot.Full.WORKER_FULL;
        int waiting;
        Map<Optional<ToolRef>, PendingTool> pending = Map.of();
        Map<Integer, Long> ends = new HashMap<>();
        boolean away;

        @Override
        public LaneSnapshot lanes() {
            return new LaneSnapshot(1, Map.of(0, load), Duration.ofSeconds(4));
        }

        @Override
        public LaneSnapshot.Full whyFull(int partition, long epoch, LaneSnapshot.Load of) {
            return full;
        }

        @Override
        public OwnershipCounts partitions() {
            return new OwnershipCounts(true, readings.size(), readings.size(), Map.of(), readings);
        }

        @Override
        public int waitingForTools() {
            return waiting;
        }

        @Override
        public Map<Optional<ToolRef>, PendingTool> pendingByTool() {
            return pending;
        }

        @Override
        public Map<Integer, Long> ends(Collection<Integer> of) {
            if (away)
                throw new TimeoutException("away");
            return ends;
        }
    }

    @BeforeEach
    void start() {
        partitions.opened(0, EPOCH, DoneOffsets.from(100));
    }

    @AfterEach
    void close() {
        watch.close();
        meters.close();
    }

    @Test
    void whatIsNotReadIsBacklog() {
        worker.ends.put(0, 140L);
        assertThat(backlog()).isEqualTo(40);

        partitions.tracked(0, EPOCH, 40, 140);
        assertThat(backlog()).isZero();
    }

    @Test
    void markersAreNoBacklog() {
        // Ten calls and ten markers were read; of forty more offsets half are calls.
        partitions.tracked(0, EPOCH, 10, 120);
        worker.ends.put(0, 160L);

        assertThat(backlog()).isEqualTo(20);
    }

    @Test
    void aFullPartitionCountsOnlyWhileMostOfItsCallsRun() {
        worker.ends.put(0, 120L);
        worker.readings = List.of(new Reading(0, EPOCH, true, Set.of(), 5));

        worker.load = MOST_RUN;
        assertThat(backlog()).isEqualTo(25);
        assertThat(held("worker_full")).isEqualTo(1);

        worker.load = LaneSnapshot.Load.NONE;
        assertThat(backlog()).as("full of results that wait for their commit").isEqualTo(25);

        worker.load = ONE_IS_STUCK;
        worker.full = LaneSnapshot.Full.LANE_FULL;
        assertThat(backlog()).isZero();
        assertThat(held("lane_full")).isEqualTo(1);
        assertThat(held("worker_full")).isZero();
    }

    @Test
    void aHeldPartitionAndOneThatIsTakenOverAreNoBacklogAndWaitsForToolsAre() {
        worker.ends.putAll(Map.of(0, 1_000L, 1, 1_000L));
        worker.readings = List.of(new Reading(0, EPOCH, true, Set.of(Hold.QUARANTINED), 0),
                new Reading(1, 8, false, Set.of(), 0));
        worker.waiting = 3;

        assertThat(backlog()).isEqualTo(3);
        assertThat(held("taking_over")).isEqualTo(1);
    }

    @Test
    void eachPartitionThatIsNotReadSaysWhy() {
        worker.full = LaneSnapshot.Full.LANE_FULL;
        worker.readings = List.of(new Reading(0, EPOCH, true, Set.of(), 5),
                new Reading(1, 8, true, Set.of(Hold.UNREADABLE, Hold.QUARANTINED), 0),
                new Reading(2, 9, false, Set.of(), 0), new Reading(3, 10, false, Set.of(Hold.UNEXPECTED), 0),
                new Reading(4, 11, true, Set.of(), 0));
        watch.look();

        assertThat(watch.held()).isEqualTo(Map.of(0, List.of("lane_full"), 1, List.of("quarantined", "unreadable"),
                2, List.of("taking_over"), 3, List.of("unexpected")));

        worker.readings = List.of(READING);
        assertThat(watch.held()).as("what a partition says by itself is not of the last look").isEmpty();
    }

    @Test
    void recordsThatNobodyReadsAreNoticedAndASlowHandlerIsNot() {
        worker.ends.put(0, 140L);
        looks(Duration.ZERO, Duration.ofSeconds(20), Duration.ofSeconds(20));
        assertThat(watch.unreadFor()).isEqualTo(Duration.ofSeconds(40));

        partitions.tracked(0, EPOCH, 1, 101);
        looks(Duration.ofSeconds(5));
        assertThat(watch.unreadFor()).as("something was read").isZero();

        worker.readings = List.of(new Reading(0, EPOCH, true, Set.of(), 5));
        looks(Duration.ofHours(1), Duration.ofHours(1));
        assertThat(watch.unreadFor()).as("full of calls whose handlers are slow").isZero();

        worker.readings = List.of(READING);
        partitions.tracked(0, EPOCH, 39, 140);
        looks(Duration.ofHours(1), Duration.ofHours(1));
        assertThat(watch.unreadFor()).as("nothing to do").isZero();
    }

    @Test
    void aBrokerThatIsAwaySaysNothingOfReading() {
        worker.ends.put(0, 140L);
        looks(Duration.ZERO, Duration.ofSeconds(60));
        worker.away = true;
        looks(Duration.ofSeconds(60));

        assertThat(watch.unreadFor()).isZero();
        assertThat(backlog()).isZero();
    }

    @Test
    void pendingCallsAreShownByToolAndApprovalsApart() {
        ToolRef build = new ToolRef("acme", "b", "start");
        worker.pending = Map.of(Optional.of(build), new PendingTool(3, 40_000), Optional.empty(),
                new PendingTool(2, 90_000));
        watch.look();

        assertThat(registry.get(LoadMeters.HANDLES_PENDING).tag(WorkerMeters.TOOL, "acme/b__start").gauge().value())
                .isEqualTo(3);
        assertThat(registry.get(LoadMeters.HANDLES_OLDEST_AGE).timeGauge().value()).isEqualTo(60);
        assertThat(gauge(LoadMeters.APPROVALS_OPEN)).isEqualTo(2);
        assertThat(registry.get(LoadMeters.APPROVALS_OLDEST_AGE).timeGauge().value()).isEqualTo(10);

        worker.pending = Map.of();
        watch.look();
        assertThat(gauge(LoadMeters.HANDLES_PENDING)).isZero();
        assertThat(gauge(LoadMeters.APPROVALS_OPEN)).isZero();
    }

    @Test
    void offsetsOfAPartitionAreShownWhileItIsAssigned() {
        partitions.tracked(0, EPOCH, 50, 150);
        partitions.committed(0, EPOCH, new OffsetAndMetadata(110, new DoneOffsets(110, List.of(5, 10)).encode()));
        partitions.committed(0, EPOCH - 1, new OffsetAndMetadata(1, ""));

        assertThat(gauge(LoadMeters.OFFSET_SEEN)).isEqualTo(150);
        assertThat(gauge(LoadMeters.OFFSET_COMMITTED)).isEqualTo(110);
        assertThat(gauge(LoadMeters.OFFSET_FINISHED)).isEqualTo(125);
        assertThat(gauge(LoadMeters.METADATA)).isEqualTo(new DoneOffsets(110, List.of(5, 10)).encode().length());

        partitions.opened(0, EPOCH + 1, DoneOffsets.from(7));
        assertThat(gauge(LoadMeters.OFFSET_SEEN)).as("assigned anew").isEqualTo(7);
        partitions.closed(0, EPOCH);
        assertThat(registry.find(LoadMeters.OFFSET_SEEN).gauges()).as("an end of the one before").hasSize(1);
        partitions.closed(0, EPOCH + 1);
        assertThat(registry.find(LoadMeters.OFFSET_SEEN).gauges()).isEmpty();
    }

    private void looks(Duration... after) {
        for (Duration each : after) {
            nanos += each.toNanos();
            watch.look();
        }
    }

    private double backlog() {
        watch.look();
        return gauge(LoadMeters.BACKLOG);
    }

    private double held(String reason) {
        return registry.get(WorkerMeters.PARTITIONS_HELD).tag(WorkerMeters.REASON, reason).gauge().value();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }
}
