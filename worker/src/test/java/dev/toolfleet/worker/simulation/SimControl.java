package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.identity.Cancellations;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// Reads `tool.control` for the cancellations of a simulated worker, as its state follower does: to the end before the
/// worker takes partitions, and then what comes, a little later.
final class SimControl {
    static final WireCodec<CancelCall> CANCELS = WireCodec.of(CancelCall.class);
    private static final int LATE_MILLIS = 60;

    private final World world;
    private final Cancellations view;
    private final long[] positions;
    private final List<Heard> heard = new ArrayList<>();

    private record Heard(WrittenCancels.Written written, long at) {}

    SimControl(World world, Cancellations view) {
        this.world = world;
        this.view = view;
        this.positions = new long[world.cluster.most];
    }

    /// Reads what was written until now.
    void catchUp() {
        for (int partition = 0; partition < positions.length; partition++) {
            SimLog log = world.cluster.log(Topic.CONTROL, partition);
            long end = log.end();
            world.fibers.await(() -> log.stableEnd() >= end, Long.MAX_VALUE);
            read(partition);
        }
    }

    void run() {
        while (true) {
            world.fibers.await(this::hasNews, Long.MAX_VALUE);
            world.fibers.sleep(world.random.nextInt(LATE_MILLIS));
            for (int partition = 0; partition < positions.length; partition++)
                read(partition);
        }
    }

    private boolean hasNews() {
        for (int partition = 0; partition < positions.length; partition++) {
            if (world.cluster.log(Topic.CONTROL, partition).stableEnd() > positions[partition])
                return true;
        }
        return false;
    }

    private void read(int partition) {
        SimLog.Read read = world.cluster.log(Topic.CONTROL, partition).read(positions[partition], Integer.MAX_VALUE);
        positions[partition] = read.next();
        for (ConsumerRecord<byte[], byte[]> record : read.records()) {
            heard.add(new Heard(new WrittenCancels.Written(CANCELS.read(record.value()), record.timestamp()),
                    world.fibers.now()));
            view.apply(partition, "", record.value(), record.timestamp());
        }
    }

    /// The time at which this worker read that the call is cancelled; in the far future when it did not.
    long heardAt(SimCall call) {
        return heard.stream().filter(one -> world.history.cancels.means(one.written(), call)).mapToLong(Heard::at).min()
                .orElse(Long.MAX_VALUE);
    }
}
