package dev.toolfleet.testkit;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolOutput;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Run of a handler on a virtual thread of its own, as in the fleet.
public final class HandlerRun {
    private static final Duration SLICE = Duration.ofMillis(20);

    private final FakeToolContext ctx;
    private final Thread thread;
    private volatile @Nullable Outcome outcome;

    private HandlerRun(ToolHandler handler, FakeToolContext ctx, ObjectNode input) {
        this.ctx = ctx;
        this.thread = Thread.ofVirtual().name("handler-run").unstarted(() -> outcome = run(handler, ctx, input));
    }

    /// Starts the handler.
    public static HandlerRun start(ToolHandler handler, FakeToolContext ctx, ObjectNode input) {
        HandlerRun run = new HandlerRun(handler, ctx, input);
        run.thread.start();
        return run;
    }

    /// Cancels the context and interrupts the handler, as the fleet does at a deadline, at a cancellation and when it
    /// stops.
    public void interrupt() {
        ctx.cancel();
        thread.interrupt();
    }

    /// Waits for the end of the handler. The time is counted in slices of 20 ms, so that a pause of the machine costs
    /// the handler one of them, not all.
    ///
    /// @return true if it ended in that time
    public boolean endsWithin(Duration time) throws InterruptedException {
        Duration left = time;
        for (; left.compareTo(SLICE) > 0; left = left.minus(SLICE)) {
            if (thread.join(SLICE))
                return true;
        }
        return thread.join(left);
    }

    /// Waits until the handler ends or its deadline comes, then interrupts it and waits for the grace.
    ///
    /// @return true if it ended
    public boolean endsByDeadline(Duration grace) throws InterruptedException {
        Duration left = Duration.between(Instant.now(), ctx.deadline());
        if (left.isPositive() && endsWithin(left))
            return true;
        interrupt();
        return endsWithin(grace);
    }

    /// Returns the outcome of the handler.
    ///
    /// @throws IllegalStateException while it still runs
    public Outcome outcome() {
        Outcome known = outcome;
        if (known == null)
            throw new IllegalStateException("The handler still runs; wait with endsWithin first.");
        return known;
    }

    private static Outcome run(ToolHandler handler, FakeToolContext ctx, ObjectNode input) {
        try {
            return new Outcome.Returned(handler.handle(ctx, input));
        } catch (Throwable e) {
            return new Outcome.Threw(e);
        }
    }

    /// Outcome of a handler.
    public sealed interface Outcome {
        /// It returned.
        ///
        /// @param output its answer
        record Returned(@Nullable ToolOutput output) implements Outcome {}

        /// It threw.
        ///
        /// @param cause the exception
        record Threw(Throwable cause) implements Outcome {}
    }
}
