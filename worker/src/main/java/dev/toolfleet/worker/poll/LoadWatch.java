package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.identity.PendingTool;
import dev.toolfleet.worker.lane.LaneSnapshot;
import dev.toolfleet.worker.poll.OwnershipCounts.Reading;
import dev.toolfleet.worker.state.Housekeeping;
import dev.toolfleet.worker.telemetry.LoadMeters;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.common.KafkaException;

/// Looks at the whole worker every few seconds, for what would cost too much to follow call by call: the effective
/// backlog, lanes, pending handles by tool, and whether records wait that no worker reads. [#look] on one thread, the rest
/// from any.
public final class LoadWatch implements AutoCloseable {
    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration BETWEEN = Duration.ofSeconds(3);
    private static final String TAKING_OVER = "taking_over";

    private final Watched worker;
    private final PartitionWatch partitions;
    private final WorkerMeters meters;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Housekeeping thread = new Housekeeping(this::look, FIRST, BETWEEN);
    private final Map<String, PendingTool> pending = new HashMap<>();
    private volatile Seen seen = new Seen(0, LaneSnapshot.NOTHING, Map.of(), Map.of(), Map.of());
    private volatile boolean unread;
    private volatile long unreadSince;
    private long progress = -1;

    /// Parts that the watch looks at.
    interface Watched {
        /// Contents of the lanes.
        LaneSnapshot lanes();

        /// Why calls of a partition are refused.
        LaneSnapshot.Full whyFull(int partition, long epoch, LaneSnapshot.Load load);

        /// State of the partitions.
        OwnershipCounts partitions();

        /// Calls that wait for a slot or the rate of their tool.
        int waitingForTools();

        /// Calls that wait for their handles.
        Map<Optional<ToolRef>, PendingTool> pendingByTool();

        /// The committed ends of partitions of `tool.call`; throws a `KafkaException` without an answer.
        Map<Integer, Long> ends(Collection<Integer> of);
    }

    /// Result of the last look.
    ///
    /// @param full why calls of partitions were refused
    private record Seen(double backlog, LaneSnapshot lanes, Map<String, Integer> held, Map<Integer, String> full,
            Map<String, PendingTool> pending) {}

    LoadWatch(Watched worker, PartitionWatch partitions, WorkerMeters meters, InstantSource clock, LongSupplier nanos) {
        this.worker = worker;
        this.partitions = partitions;
        this.meters = meters;
        this.clock = clock;
        this.nanos = nanos;
        meters.gauge(LoadMeters.BACKLOG, "calls that more workers could run now", () -> seen.backlog());
        meters.gauge(LoadMeters.CALLS_RUNNING, "calls that run", () -> seen.lanes().running());
        meters.gauge(LoadMeters.LANES_ACTIVE, "instances with calls queued or running", () -> seen.lanes().active());
        meters.duration(LoadMeters.LANES_STALLED_AGE, "for how long the longest stalled instance has stood",
                () -> seen.lanes().stalled());
        meters.gauge(LoadMeters.APPROVALS_OPEN, "calls that wait for a person", () -> pending("").count());
        meters.duration(LoadMeters.APPROVALS_OLDEST_AGE, "age of the oldest of them", () -> age(pending("")));
        for (LaneSnapshot.Full why : LaneSnapshot.Full.values())
            held(word(why));
        held(TAKING_OVER);
    }

    private void held(String reason) {
        meters.gauge(WorkerMeters.PARTITIONS_HELD, "partitions that are not read", reason,
                () -> seen.held().getOrDefault(reason, 0));
    }

    private static String word(Enum<?> why) {
        return why.name().toLowerCase(Locale.ROOT);
    }

    /// Why partitions are not read, by partition, in the words of the metric. What costs a walk over the worker is of the
    /// last look.
    public SortedMap<Integer, List<String>> held() {
        SortedMap<Integer, List<String>> held = new TreeMap<>();
        for (Reading reading : worker.partitions().readings()) {
            List<String> why = new ArrayList<>(reading.holds().stream().map(LoadWatch::word).sorted().toList());
            if (!reading.started() && !reading.held())
                why.add(TAKING_OVER);
            String full = seen.full().get(reading.partition());
            if (reading.refused() > 0 && full != null)
                why.add(full);
            if (!why.isEmpty())
                held.put(reading.partition(), List.copyOf(why));
        }
        return held;
    }

    private PendingTool pending(String tool) {
        return seen.pending().getOrDefault(tool, new PendingTool(0, Long.MAX_VALUE));
    }

    private Duration age(PendingTool calls) {
        return calls.count() == 0 ? Duration.ZERO : Duration.ofMillis(Math.max(0, clock.millis() - calls.oldest()));
    }

    /// Starts its thread.
    public void start() {
        thread.start();
    }

    /// For how long committed records have lain unread in partitions that take records, and none was read; zero when all
    /// is well.
    public Duration unreadFor() {
        return unread ? Duration.ofNanos(nanos.getAsLong() - unreadSince) : Duration.ZERO;
    }

    void look() {
        OwnershipCounts counts = worker.partitions();
        LaneSnapshot lanes = worker.lanes();
        Map<String, Integer> held = new HashMap<>();
        Map<Integer, String> full = new HashMap<>();
        double backlog = worker.waitingForTools();
        Map<Integer, Long> ends = ends(counts.readings());
        long read = 0;
        boolean left = false;
        for (Reading reading : counts.readings()) {
            if (!reading.started()) {
                // One that is held before it starts never starts.
                if (!reading.held())
                    held.merge(TAKING_OVER, 1, Integer::sum);
                continue;
            }
            LaneSnapshot.Load load = lanes.of(reading.partition());
            long next = partitions.seen(reading.partition(), reading.epoch());
            long records = next < 0 ? 0 : Math.max(0, ends.getOrDefault(reading.partition(), 0L) - next);
            read += next;
            left |= records > 0 && !reading.held() && reading.refused() == 0;
            if (reading.refused() > 0) {
                String why = word(worker.whyFull(reading.partition(), reading.epoch(), load));
                held.merge(why, 1, Integer::sum);
                full.put(reading.partition(), why);
            }
            if (couldMove(reading, load))
                backlog += reading.refused()
                        + records * partitions.callsPerOffset(reading.partition(), reading.epoch());
        }
        stand(left, read);
        tools();
        seen = new Seen(backlog, lanes, Map.copyOf(held), Map.copyOf(full), Map.copyOf(pending));
    }

    /// True if a worker with more room would take in calls of a partition that this one does not. False while the partition
    /// is held, and while it is full of calls that wait behind calls of their own instances: these wait on every worker.
    private static boolean couldMove(Reading reading, LaneSnapshot.Load load) {
        boolean waitTheirTurn = load.queued() > 0 && load.running() <= load.queued();
        return !reading.held() && (reading.refused() == 0 || !waitTheirTurn);
    }

    private Map<Integer, Long> ends(List<Reading> readings) {
        List<Integer> started = readings.stream().filter(Reading::started).map(Reading::partition).toList();
        if (started.isEmpty())
            return Map.of();
        try {
            return worker.ends(started);
        } catch (KafkaException e) {
            // Commits and heartbeats find the workers that do not answer.
            return Map.of();
        }
    }

    private void stand(boolean left, long read) {
        if (!left || read != progress)
            unreadSince = nanos.getAsLong();
        unread = left;
        progress = read;
    }

    /// A tool that has had pending calls keeps its gauges.
    private void tools() {
        pending.replaceAll((tool, calls) -> new PendingTool(0, Long.MAX_VALUE));
        worker.pendingByTool().forEach((tool, calls) -> {
            String name = tool.map(WorkerMeters::tool).orElse("");
            if (pending.put(name, calls) == null && !name.isEmpty()) {
                meters.gauge(LoadMeters.HANDLES_PENDING, "calls that wait for their handles", WorkerMeters.TOOL, name,
                        () -> pending(name).count());
                meters.age(LoadMeters.HANDLES_OLDEST_AGE, "age of the oldest of them", WorkerMeters.TOOL, name,
                        () -> age(pending(name)));
            }
        });
    }

    @Override
    public void close() {
        thread.close();
    }
}
