package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.simulation.SimCall.Kind;
import org.apache.kafka.common.header.internals.RecordHeaders;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Writes calls, and now and then what is no call: records of aborted transactions, garbage.
final class SimCaller implements Runnable {
    private static final List<Kind> KINDS = List.of(Kind.values());

    private final World world;
    private final Random random;
    private final int instances;
    private final int count;
    private final String prefix;
    private final List<SimCall> made = new ArrayList<>();
    private boolean done;

    /// @param prefix of the ids of calls
    SimCaller(World world, int instances, int count, String prefix) {
        this.prefix = prefix;
        this.world = world;
        this.random = world.random;
        this.instances = instances;
        this.count = count;
    }

    boolean isDone() {
        return done;
    }

    @Override
    public void run() {
        int pace = random.nextInt(400);
        for (int i = 0; i < count; i++) {
            int partition = random.nextInt(world.cluster.partitions);
            switch (random.nextInt(20)) {
                case 0 -> {
                    if (!world.hazards.topicFault.losesCalls())
                        garbage(partition);
                }
                case 1 -> aborted(partition);
                case 2 -> again(0);
                case 3 -> again(1);
                default -> {
                    if (world.isForgetful() && random.nextInt(4) == 0) {
                        again(0);
                    } else {
                        call(partition, prefix + i);
                    }
                }
            }
            if (random.nextInt(3) == 0)
                world.fibers.sleep(random.nextInt(1 + pace));
        }
        done = true;
    }

    private void call(int partition, String id) {
        String instance = partition + "-" + random.nextInt(instances);
        int place = world.growth.place(instance, partition);
        ask(new SimCall(place, world.cluster.log(Topic.CALL, place).end(), instance,
                KINDS.get(random.nextInt(KINDS.size())), id, random.nextInt(100)));
    }

    /// An earlier call once more, or another one under its id. Only where twins need not wait for room; and where the
    /// workers forget answers, only of those that finish later.
    private void again(int otherArgument) {
        List<SimCall> some = world.isForgetful()
                ? made.stream().filter(call -> call.kind().finishesLater()).toList()
                : made;
        if (some.isEmpty() || !world.hasRoom())
            return;
        SimCall earlier = some.get(random.nextInt(some.size()));
        ask(new SimCall(earlier.partition(), world.cluster.log(Topic.CALL, earlier.partition()).end(),
                earlier.instance(), earlier.kind(), earlier.id(), earlier.argument() + otherArgument));
    }

    private void ask(SimCall call) {
        // A lost call cannot be told from its twin that has got its offset.
        if (world.history.lost.stream().anyMatch(one -> one.key().equals(call.key()) && one.id().equals(call.id())))
            return;
        made.add(call);
        world.labels.asked(call);
        SimLog log = world.cluster.log(Topic.CALL, call.partition());
        long offset = log.append(null, world.fibers.now(), call.instance().getBytes(UTF_8), call.json(),
                new RecordHeaders());
        world.history.asked(call, log.appendedAt(offset));
        if (call.partition() >= world.cluster.partitions)
            world.history.held.add(call);
    }

    private void garbage(int partition) {
        SimLog log = world.cluster.log(Topic.CALL, partition);
        world.history.malformed.add(SimCall.key(partition, log.end()));
        log.append(null, world.fibers.now(), null, "no call".getBytes(UTF_8), new RecordHeaders());
    }

    private void aborted(int partition) {
        SimLog log = world.cluster.log(Topic.CALL, partition);
        SimLog.Slice slice = new SimLog.Slice();
        log.append(slice, world.fibers.now(), null, "given up".getBytes(UTF_8), new RecordHeaders());
        log.mark(slice, false);
    }
}
