package dev.toolfleet.worker.simulation;

import java.util.List;
import java.util.Random;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CancelCall;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Cancels calls: mostly new ones, which are queued, running or pending; now and then one that has ended, one that is
/// still to be written, or a handle.
final class SimCanceller implements Runnable {
    private static final int NEW = 8;

    private final World world;
    private final Random random;
    private final SimTopology topology;
    private boolean done;

    SimCanceller(World world, SimTopology topology) {
        this.world = world;
        this.random = world.random;
        this.topology = topology;
    }

    boolean isDone() {
        return done;
    }

    @Override
    public void run() {
        int events = 3 + random.nextInt(12);
        for (int i = 0; i < events; i++) {
            world.fibers.sleep(random.nextInt(random.nextInt(3) == 0 ? 2_500 : 300));
            cancelOne();
        }
        done = true;
    }

    private void cancelOne() {
        SimCall call = choose();
        if (call == null)
            return;
        switch (random.nextInt(7)) {
            case 0 -> write(of(call, null, next(call), "s"));
            case 1 -> {
                List<String> open = topology.openOf(call);
                if (!open.isEmpty())
                    write(of(call, open.getFirst(), null, null));
            }
            case 2, 3 -> write(of(call, null, call.id(), "s"));
            default -> write(of(call, null, call.id(), null));
        }
    }

    /// One that runs, or one of the newest that have not ended; seldom any.
    private @Nullable SimCall choose() {
        List<SimCall> running = world.history.starts.stream().filter(start -> start.end < 0).map(start -> start.call)
                .toList();
        if (!running.isEmpty() && random.nextInt(3) > 0)
            return running.get(random.nextInt(running.size()));
        List<SimCall> all = List.copyOf(world.history.calls.values());
        List<SimCall> open = all.stream().filter(call -> !world.answers.isEnded(call.mark())).toList();
        List<SimCall> some = open.isEmpty() || random.nextInt(6) == 0
                ? all
                : open.subList(Math.max(0, open.size() - NEW), open.size());
        return some.isEmpty() ? null : some.get(random.nextInt(some.size()));
    }

    /// The id of a call that may be written later.
    private String next(SimCall call) {
        String prefix = call.id().replaceAll("[0-9]+$", "");
        return prefix + (Integer.parseInt(call.id().substring(prefix.length())) + 1 + random.nextInt(4));
    }

    private static CancelCall of(SimCall call, @Nullable String handle, @Nullable String id, @Nullable String step) {
        return new CancelCall(call.instance(), id, step, handle, "ann", "enough", null, null);
    }

    private void write(CancelCall cancel) {
        SimLog log = world.cluster.log(Topic.CONTROL, random.nextInt(world.cluster.partitions));
        long offset = log.append(null, world.fibers.now(), cancel.instanceKey().getBytes(UTF_8),
                SimControl.CANCELS.write(cancel), new RecordHeaders());
        world.history.cancels.add(cancel, log.appendedAt(offset));
        world.history.add("caller", "cancels " + cancel);
    }
}
