package dev.toolfleet.worker.app;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import dev.toolfleet.worker.tools.selfrestart.Restarts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A worker's wish to be started again. A process that has not run for long refuses: a tool that requests a restart at each
/// start would never let it work. Thread-safe.
final class RestartSwitch implements Restarts {
    private static final Logger LOG = LoggerFactory.getLogger(RestartSwitch.class);

    private final long notBefore;
    private final LongSupplier nanos;
    private final CompletableFuture<String> requested = new CompletableFuture<>();
    private volatile boolean attended;

    /// @param minUptime how long a process runs before it may be restarted
    /// @param nanos a clock that only goes on
    RestartSwitch(Duration minUptime, LongSupplier nanos) {
        this.nanos = nanos;
        this.notBefore = nanos.getAsLong() + minUptime.toNanos();
    }

    /// Done with the reason once the worker should end and be started again. Who takes it promises to do so.
    CompletableFuture<String> attend() {
        attended = true;
        return requested;
    }

    @Override
    public Answer request(String reason) {
        if (!attended)
            return new Answer.Unattended();
        long left = notBefore - nanos.getAsLong();
        if (left > 0)
            return new Answer.TooSoon(Duration.ofNanos(left));
        if (requested.complete(reason))
            LOG.atInfo().log("restart requested by a tool");
        return new Answer.Begins();
    }
}
