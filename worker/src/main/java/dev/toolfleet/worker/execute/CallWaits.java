package dev.toolfleet.worker.execute;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Waits of calls for which no handler runs: for their turn, and between two starts.
///
/// **Contract.** A wait ends as a handler does when its call is cancelled, its partition goes to another worker, or
/// this worker stops. Because no handler runs, it ends at once, and any call may be left to the next owner.
///
/// **Threads.** A cancellation is checked and published in the order that [HandlerExecutor] explains.
public final class CallWaits {
    private final RunningHandlers running;
    private final Ownership ownership;
    private final CancelReplies cancelling;

    /// Creates waits that are noted in `running`.
    public CallWaits(RunningHandlers running, Ownership ownership, CancelReplies cancelling) {
        this.running = running;
        this.ownership = ownership;
        this.cancelling = cancelling;
    }

    /// Call that waits.
    ///
    /// @param calledAt its append time, in epoch milliseconds
    /// @param started whether a handler ran for it before
    public record Waiting(Position position, ToolCall call, long calledAt, boolean started) {}

    /// End of a wait.
    public sealed interface Waited<T> {
        /// The awaited value came.
        record Over<T>(T value) implements Waited<T> {}

        /// The call ended before the value came.
        record Cut<T>(HandlerResult result) implements Waited<T> {}
    }

    /// Operation that waits for a value.
    @FunctionalInterface
    public interface Wait<T> {
        /// Waits on the call's thread.
        T await() throws InterruptedException;
    }

    /// Waits. A value is returned even if the call was cancelled at the same moment: the start of its handler checks
    /// that again.
    public <T> Waited<T> during(Waiting who, Wait<T> wait) {
        while (true) {
            Interruption interruption = new Interruption();
            running.add(who.position(),
                    new RunningHandlers.Running(interruption, true, who.call().instanceKey(), MoveNote.NONE,
                            () -> false,
                            () -> {
                                EndOrder by = cancelling.of(who.call(), who.calledAt(), who.position());
                                if (by != null)
                                    interruption.cancel(by);
                            }));
            T value = null;
            Interruption.Cause cause;
            try {
                HandlerResult over = over(who);
                if (over != null)
                    return new Waited.Cut<>(over);
                value = wait.await();
            } catch (InterruptedException e) {
                // The cause of the interrupt is checked below; an interrupt without a cause ends nothing.
            } finally {
                running.remove(who.position());
                cause = interruption.end();
            }
            if (value != null)
                return new Waited.Over<>(value);
            if (cause != null)
                return new Waited.Cut<>(cut(who, interruption));
        }
    }

    private @Nullable HandlerResult over(Waiting who) {
        if (running.stopped(true) || !ownership.current().owns(who.position()))
            return new HandlerResult.Left(who.started());
        EndOrder cancel = cancelling.of(who.call(), who.calledAt(), who.position());
        return cancel == null ? null : cancelled(who, cancel);
    }

    private HandlerResult cut(Waiting who, Interruption interruption) {
        EndOrder cancel = interruption.cancelledBy();
        return cancel == null ? new HandlerResult.Left(who.started()) : cancelled(who, requireNonNull(cancel));
    }

    /// Only calls that may run again wait between two starts.
    private HandlerResult cancelled(Waiting who, EndOrder cancel) {
        if (!who.started())
            return new HandlerResult.Replied(cancelling.unstarted(cancel), 0);
        cancelling.interrupted();
        return new HandlerResult.Replied(CancelReplies.interrupted(cancel, true), 0);
    }
}
