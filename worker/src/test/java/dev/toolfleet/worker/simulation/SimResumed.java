package dev.toolfleet.worker.simulation;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.poll.ResumedListener;
import dev.toolfleet.worker.poll.ResumedLoop;
import dev.toolfleet.worker.poll.ResumedSteps;

/// The real resumed loop of a simulated worker, in a fiber: what it is told, and where it waits.
final class SimResumed implements ResumedLoop.Threads {
    private static final long PATIENCE_MILLIS = 10_000;

    private final Fibers fibers;
    private final Fibers.Program program;
    private final SimReader reader;
    private final ResumedLoop loop;
    private boolean news;

    /// @param room how many outcomes may be on their way
    SimResumed(World world, Fibers.Program program, ResumedListener ends, int room) {
        this.fibers = world.fibers;
        this.program = program;
        this.reader = new SimReader(world.cluster);
        this.loop = new ResumedLoop(Topic.CALL_RESUMED.baseName(), reader.asConsumer(),
                new Told(ends), cause -> failed(world, cause), this, room);
    }

    private static void failed(World world, Throwable cause) {
        if (!(cause instanceof Fibers.Killed))
            world.history.broken("resumed loop failed: " + cause);
    }

    /// Notifies the loop when there is room again.
    private final class Told implements ResumedListener {
        private final ResumedListener ends;

        Told(ResumedListener ends) {
            this.ends = ends;
        }

        @Override
        public void tracked(int partition, long epoch, Offsets offsets, long next) {
            ends.tracked(partition, epoch, offsets, next);
        }

        @Override
        public void end(Position at, ResumedCall call, Runnable done) {
            ends.end(at, call, () -> {
                done.run();
                news = true;
            });
        }

        @Override
        public boolean offer(Arrival.Granted granted) {
            return ends.offer(new Arrival.Granted(granted.position(), granted.call(), granted.resumed(), () -> {
                granted.done().run();
                news = true;
            }));
        }

        @Override
        public boolean began(Arrival.Granted granted) {
            return ends.began(granted);
        }

        @Override
        public boolean settled(int partition, long epoch, long position) {
            return ends.settled(partition, epoch, position);
        }
    }

    void run() {
        try {
            while (true)
                ResumedSteps.turn(loop);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts it", e);
        }
    }

    ResumedLoop loop() {
        return loop;
    }

    void quarantine(int partition, long epoch, boolean on) {
        loop.quarantine(partition, epoch, on);
        news = true;
    }

    @Override
    public void start(Runnable end) {
        fibers.spawn(program, end);
    }

    /// Pauses until there is work: the real loop's short pauses would never end soon enough.
    @Override
    public void pause(long millis) {
        fibers.await(() -> news || reader.isWoken(), PATIENCE_MILLIS);
        news = false;
    }
}
