package dev.toolfleet.worker.simulation;

import java.util.List;
import java.util.Random;

import dev.toolfleet.topic.Topic;

/// Fates of the workers: they come and go, and unless the run is calm they die and freeze.
final class SimChaos implements Runnable {
    private static final int MAX_WORKERS = 4;

    private final World world;
    private final Random random;
    private boolean done;

    SimChaos(World world) {
        this.world = world;
        this.random = world.random;
    }

    boolean isDone() {
        return done;
    }

    @Override
    public void run() {
        int events = random.nextInt(5);
        for (int i = 0; i < events; i++) {
            world.fibers.sleep(random.nextInt(3) == 0 ? random.nextInt(8_000) : random.nextInt(1_500));
            if (world.offsetsExpire && random.nextBoolean())
                world.cluster.group.expire(Topic.CALL_RESUMED.baseName());
            List<SimWorker> living = world.living();
            SimWorker one = living.isEmpty() ? null : living.get(random.nextInt(living.size()));
            if (one == null) {
                world.startWorker();
            } else if (!world.calm && random.nextBoolean()) {
                if (random.nextInt(3) == 0) {
                    freeze(one);
                } else {
                    crash(one);
                }
            } else {
                move(one, living.size());
            }
        }
        done = true;
    }

    private void crash(SimWorker one) {
        one.crash();
        if (random.nextInt(3) > 0) {
            world.fibers.sleep(random.nextInt(4_000));
            if (random.nextBoolean()) {
                world.startWorker(one.name);
            } else {
                world.startWorker();
            }
        }
    }

    /// Freezes it for less than its session, or for longer; meanwhile another worker may start under its name.
    private void freeze(SimWorker one) {
        if (one.program.isFrozen())
            return;
        one.freeze();
        world.fibers.sleep(random.nextInt(12_000));
        if (random.nextInt(4) == 0) {
            world.startWorker(one.name);
            world.fibers.sleep(random.nextInt(2_000));
        }
        if (random.nextInt(5) == 0) {
            one.crash();
        } else {
            one.thaw();
        }
    }

    private void move(SimWorker one, int living) {
        switch (random.nextInt(3)) {
            case 0 -> {
                if (living < MAX_WORKERS)
                    world.startWorker();
            }
            case 1 -> {
                if (living > 1)
                    one.stop();
            }
            default -> {
                world.cluster.assignor.shuffleNext();
                world.cluster.group.rebalance();
            }
        }
    }
}
