package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

/// Waits inside a rebalance callback for a bounded time, because the callback holds up the poll thread.
final class RevokeWait {
    private static final Logger LOG = LoggerFactory.getLogger(RevokeWait.class);

    private RevokeWait() {}

    /// Waits for the commit. A call that is not committed in time is given up with the partition: the next owner runs
    /// it again.
    static void until(CompletableFuture<Void> committed, Duration atMost) {
        try {
            committed.get(atMost.toMillis(), MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString())
                    .log("partitions revoked before all finished calls were committed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
