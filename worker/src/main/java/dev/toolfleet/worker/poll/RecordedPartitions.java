package dev.toolfleet.worker.poll;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.commit.PartitionListener.Hold;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Take-overs of the partitions that the fleet was created with. A partition that was added to `tool.call` since is not
/// taken over but held: its instances had calls, results and catalogs elsewhere until then, so order and deduplication do
/// not hold for it. The other partitions go on. Written by the poll thread, read by any.
///
/// @param topic of calls
/// @param recorded how many partitions the fleet was created with
/// @param takeOvers of the expected ones
/// @param listener told of those that are held
/// @param watch measures how long take-overs take
/// @param unexpected epochs of the assigned ones beyond the recorded count, by number
record RecordedPartitions(String topic, int recorded, TakeOvers takeOvers, PartitionListener listener,
        PartitionWatch watch, Map<Integer, Long> unexpected) implements TakeOvers {
    private static final Logger LOG = LoggerFactory.getLogger(RecordedPartitions.class);

    RecordedPartitions(String topic, int recorded, TakeOvers takeOvers, PartitionListener listener,
            PartitionWatch watch) {
        this(topic, recorded, takeOvers, listener, watch, new ConcurrentSkipListMap<>());
    }

    @Override
    public void begin(int partition, long epoch) {
        if (partition < recorded) {
            watch.begins(partition);
            takeOvers.begin(partition, epoch);
            return;
        }
        unexpected.put(partition, epoch);
        LOG.atError().addKeyValue("topic", topic).addKeyValue(LogKeys.PARTITION, partition)
                .addKeyValue(LogKeys.EPOCH, epoch).addKeyValue(LogKeys.COUNT, recorded)
                .log("partition held: the fleet was created with fewer partitions");
        listener.held(partition, epoch, Hold.UNEXPECTED, true);
    }

    @Override
    public void cancel(int partition, long epoch) {
        if (unexpected.remove(partition, epoch))
            return;
        watch.cancelled(partition);
        takeOvers.cancel(partition, epoch);
    }

    /// A sentence for each partition that is held.
    List<String> reasons() {
        return unexpected.keySet().stream().map(this::reason).toList();
    }

    private String reason(int partition) {
        return "partition " + partition + " of " + topic + " is held, because the fleet was created with " + recorded
                + " partitions, numbers 0 to " + (recorded - 1)
                + ": stop all agents, let every call end, stop the fleet,"
                + " give all topics of its group the same count, accept it with `toolfleet topics create --partitions N`,"
                + " and start again";
    }
}
