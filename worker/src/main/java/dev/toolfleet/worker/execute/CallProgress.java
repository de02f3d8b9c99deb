package dev.toolfleet.worker.execute;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.wire.Progress;
import org.jspecify.annotations.Nullable;

/// Progress of one call, with at most one event a second.
///
/// **Contract.** The first event goes out at once. Of the events in the second after it, only the newest goes out, at
/// the end of that second. No event goes out once the call has ended. It uses a timer only while an event is held back.
///
/// **Threads.** Thread-safe.
public final class CallProgress {
    /// Shortest time between two events of a call.
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

    /// Creates the progress of one call. It passes events to `publisher`, on the handler's thread or the deadline
    /// thread.
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

    /// Replaces half a surrogate pair with a question mark.
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

    /// Ends the progress: the call has its result.
    synchronized void end() {
        ended = true;
        held = null;
        if (timer != null)
            timer.cancel();
        timer = null;
    }
}
