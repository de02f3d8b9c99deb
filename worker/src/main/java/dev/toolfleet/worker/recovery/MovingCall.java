package dev.toolfleet.worker.recovery;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.execute.MoveNote;
import org.jspecify.annotations.Nullable;

/// Intent of one start of a call that may run twice, written only when its partition moves (decision 0052).
final class MovingCall implements MoveNote {
    private final CallFacts run;
    private final Supplier<CallIntent> intent;
    private final Function<CallIntent, CompletableFuture<@Nullable Long>> send;
    private @Nullable CompletableFuture<@Nullable Long> sent;
    private boolean ended;

    /// @param send sends it to be committed with the partition's offset
    MovingCall(CallFacts run, Supplier<CallIntent> intent,
            Function<CallIntent, CompletableFuture<@Nullable Long>> send) {
        this.run = run;
        this.intent = intent;
        this.send = send;
    }

    @Override
    public synchronized void write() {
        if (ended || sent != null)
            return;
        CallIntent now = intent.get();
        run.course().noted(now);
        sent = send.apply(now);
    }

    /// Null for a begin means that the assignment ended first.
    @Override
    public synchronized boolean isWritten() {
        CompletableFuture<@Nullable Long> note = sent;
        return note != null && note.isDone() && !note.isCompletedExceptionally() && note.getNow(null) != null;
    }

    @Override
    public synchronized void ended() {
        ended = true;
    }
}
