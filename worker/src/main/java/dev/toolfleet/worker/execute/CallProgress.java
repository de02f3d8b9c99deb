package dev.toolfleet.worker.execute;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.wire.Progress;
import org.jspecify.annotations.Nullable;

/// What one handler says of how far it is, of which at most one event a second is let through: the first at once, of
/// what comes in the second after it the newest, at its end. Nothing once the call has ended. Costs a timer only while
/// something is held back. Thread-safe.
public final class CallProgress {
    /// Between two events of a call.
    public static final Duration INTERVAL = Duration.ofSeconds(1);
    /// The longest message, in UTF-16 units.
    public static final int MAX_MESSAGE = 1_000;

    private final Consumer<Progress> publisher;
    private final DeadlineLoop timers;
    private final LongSupplier nanos;
    private boolean published;
    private long publishedAt;
    private @Nullable Progress held;
    private DeadlineLoop.@Nullable Alarm timer;
    private boolean ended;

    /// Lets events through to `publisher`, on the handler's thread or the deadline thread.
    ///
    /// @param publisher neither waits nor throws
    /// @param nanos `System.nanoTime`
    public CallProgress(Consumer<Progress> publisher, DeadlineLoop timers, LongSupplier nanos) {
        this.publisher = publisher;
        this.timers = timers;
        this.nanos = nanos;
    }

    void report(@Nullable Double percent, @Nullable String message) {
        if (percent != null && !(percent >= 0 && percent <= 100))
            throw new IllegalArgumentException("percent is " + percent + "; it goes from 0 to 100");
        report(new Progress(percent, message == null ? null : text(message)));
    }

    /// Half a surrogate pair becomes a question mark.
    private static String text(String message) {
        return new String(ErrorText.limit(message, MAX_MESSAGE).getBytes(StandardCharsets.UTF_8),
                StandardCharsets.UTF_8);
    }

    private synchronized void report(Progress progress) {
        if (ended)
            return;
        long left = published ? INTERVAL.toNanos() - (nanos.getAsLong() - publishedAt) : 0;
        if (timer == null && left <= 0) {
            publish(progress);
            return;
        }
        held = progress;
        if (timer == null)
            timer = timers.after(Duration.ofNanos(left), this::secondIsOver);
    }

    private synchronized void secondIsOver() {
        timer = null;
        Progress newest = held;
        held = null;
        if (newest != null && !ended)
            publish(newest);
    }

    private void publish(Progress progress) {
        published = true;
        publishedAt = nanos.getAsLong();
        publisher.accept(progress);
    }

    /// The call has its result, which says it all.
    synchronized void end() {
        ended = true;
        held = null;
        if (timer != null)
            timer.cancel();
        timer = null;
    }
}
