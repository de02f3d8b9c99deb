package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/// Simulated threads with virtual time. Each is a virtual thread, but exactly one runs at any moment, and only where it
/// waits does another one go on. A seeded random source chooses which. So a run depends on its seed alone.
final class Fibers {
    private static final long NEVER = Long.MAX_VALUE;

    private final Random random;
    private final List<Fiber> alive = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Fiber current;
    private @Nullable Throwable failure;
    private long now = 1_000_000;

    Fibers(Random random) {
        this.random = random;
    }

    /// Ends a fiber whose program was killed, wherever it waits.
    static final class Killed extends Error {
        Killed() {
            super("killed", null, false, false);
        }
    }

    /// Threads that live and die, freeze and go on together.
    static final class Program {
        private boolean dead;
        private boolean frozen;
        private long silentSince = NEVER;

        boolean isDead() {
            return dead;
        }

        boolean isFrozen() {
            return frozen;
        }

        /// Time since which it has sent no heartbeat; in the far future while it does.
        long silentSince() {
            return silentSince;
        }
    }

    private final class Fiber {
        final Program program;
        final Thread thread;
        BooleanSupplier condition = () -> true;
        long wakeAt;
        volatile boolean mine;
        /// Interrupted while it waited. Set before the thread's own flag is cleared, so that one of the two shows it.
        volatile boolean interrupted;

        Fiber(Program program, Runnable body) {
            this.program = program;
            this.thread = Thread.ofVirtual().unstarted(() -> live(body));
        }

        private void live(Runnable body) {
            park();
            try {
                if (!program.dead)
                    body.run();
            } catch (Killed e) {
                // As it should.
            } catch (Throwable e) {
                fail(e);
            } finally {
                alive.remove(this);
                pass(null);
            }
        }

        void park() {
            while (!mine) {
                LockSupport.park(this);
                if (Thread.currentThread().isInterrupted()) {
                    interrupted = true;
                    var _ = Thread.interrupted();
                }
            }
        }

        boolean isInterrupted() {
            // In this order: the other way round, the flag may be set after it was read and the thread's cleared before.
            return thread.isInterrupted() || interrupted;
        }

        void unpark() {
            mine = true;
            if (thread.getState() == Thread.State.NEW) {
                thread.start();
            } else {
                LockSupport.unpark(thread);
            }
        }
    }

    /// Runs a world: `director` first; when it ends everything ends. Throws what any fiber threw.
    void run(Runnable director) {
        Program program = new Program();
        spawn(program, () -> {
            try {
                director.run();
            } finally {
                alive.forEach(fiber -> fiber.program.dead = true);
            }
        });
        pass(null);
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        if (failure instanceof Error error)
            throw error;
        if (failure != null)
            throw new IllegalStateException(failure);
    }

    /// A new fiber; it starts when its turn comes.
    void spawn(Program program, Runnable body) {
        alive.add(new Fiber(program, body));
    }

    /// Ends a program: nothing of it runs any more.
    void kill(Program program) {
        program.dead = true;
        program.frozen = false;
        program.silentSince = Math.min(program.silentSince, now);
    }

    void freeze(Program program) {
        program.frozen = true;
        program.silentSince = now;
    }

    void thaw(Program program) {
        if (program.dead)
            return;
        program.frozen = false;
        program.silentSince = NEVER;
    }

    long now() {
        return now;
    }

    private void fail(Throwable cause) {
        if (failure == null)
            failure = cause;
        alive.forEach(fiber -> fiber.program.dead = true);
    }

    /// Lets others run, perhaps.
    void pause() {
        await(() -> true, 0);
    }

    void sleep(long millis) {
        await(() -> false, millis);
    }

    /// Waits for a condition; false when it did not come in time.
    boolean await(BooleanSupplier condition, long millis) {
        Fiber self = current;
        if (self == null)
            throw new IllegalStateException("not in a fiber");
        if (self.program.dead)
            throw new Killed();
        self.condition = condition;
        self.wakeAt = millis == NEVER ? NEVER : now + millis;
        pass(self);
        if (self.program.dead)
            throw new Killed();
        if (self.interrupted) {
            self.interrupted = false;
            Thread.currentThread().interrupt();
        }
        return condition.getAsBoolean();
    }

    /// Sleeps until it is over or the fiber's thread is interrupted.
    void sleepOrThrow(long millis) throws InterruptedException {
        Fiber self = current;
        if (self != null && await(self::isInterrupted, millis) && Thread.interrupted())
            throw new InterruptedException();
    }

    /// Waits for a condition until its time is over or the fiber's thread is interrupted.
    boolean awaitOrThrow(BooleanSupplier condition, long millis) throws InterruptedException {
        Fiber self = current;
        if (self == null)
            throw new IllegalStateException("not in a fiber");
        await(() -> condition.getAsBoolean() || self.isInterrupted(), millis);
        if (Thread.interrupted())
            throw new InterruptedException();
        return condition.getAsBoolean();
    }

    /// Throws when the program of the running fiber is dead: then nothing that it does reaches anybody.
    void checkAlive() {
        if (current != null && current.program.dead)
            throw new Killed();
    }

    private void pass(@Nullable Fiber self) {
        if (self != null)
            self.mine = false;
        Fiber next = next();
        current = next;
        if (next == null) {
            ended.countDown();
            return;
        }
        next.unpark();
        if (self != null)
            self.park();
    }

    private @Nullable Fiber next() {
        if (alive.isEmpty())
            return null;
        if (random.nextInt(8) == 0)
            now++;
        List<Fiber> ready = new ArrayList<>(alive.size());
        while (true) {
            long soonest = NEVER;
            for (Fiber fiber : alive) {
                if (fiber.program.dead) {
                    ready.add(fiber);
                } else if (!fiber.program.frozen) {
                    if (fiber.wakeAt <= now || fiber.condition.getAsBoolean())
                        ready.add(fiber);
                    soonest = Math.min(soonest, fiber.wakeAt);
                }
            }
            if (!ready.isEmpty())
                return ready.get(random.nextInt(ready.size()));
            if (soonest == NEVER) {
                fail(new IllegalStateException("nothing can go on"));
            } else {
                now = soonest;
            }
        }
    }
}
