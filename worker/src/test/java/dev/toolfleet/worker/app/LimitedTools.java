package dev.toolfleet.worker.app;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;

/// The tools of [LocalLimitsTest].
public final class LimitedTools implements ToolModule {
    static final AtomicInteger RUNNING = new AtomicInteger();
    static final AtomicInteger MOST = new AtomicInteger();
    static final AtomicInteger FAILURES_LEFT = new AtomicInteger();
    static volatile CountDownLatch stuck = new CountDownLatch(1);

    static void reset() {
        RUNNING.set(0);
        MOST.set(0);
        FAILURES_LEFT.set(0);
        stuck = new CountDownLatch(1);
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("quick", (ctx, input) -> quick(), "stuck", (ctx, input) -> {
            stuck.await();
            return ToolOutput.of("let go");
        }, "deaf", (ctx, input) -> deaf(), "flaky", (ctx, input) -> {
            if (FAILURES_LEFT.getAndDecrement() > 0)
                throw new ToolException("E_UPSTREAM", "attempt " + ctx.attempt() + " failed");
            return ToolOutput.of(ctx.attempt());
        }, "down", (ctx, input) -> {
            throw new ToolException("E_UPSTREAM", "down");
        });
    }

    private static ToolOutput quick() {
        MOST.accumulateAndGet(RUNNING.incrementAndGet(), Math::max);
        // Lets others run beside it.
        LockSupport.parkNanos(1);
        return ToolOutput.of(RUNNING.decrementAndGet());
    }

    private static ToolOutput deaf() {
        CountDownLatch end = stuck;
        while (true) {
            try {
                end.await();
                return ToolOutput.of("late");
            } catch (InterruptedException e) {
                // As a handler does that ignores its interrupt.
            }
        }
    }
}
