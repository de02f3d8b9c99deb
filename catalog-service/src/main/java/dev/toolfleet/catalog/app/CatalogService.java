package dev.toolfleet.catalog.app;

import java.time.Duration;
import java.util.HashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import dev.toolfleet.catalog.topology.CatalogTopology;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.FleetTopicsException;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/// Answers every step that is announced on `agent.step` with its catalog. Several services of one group share the
/// partitions; a crashed one's steps are answered by the others, each exactly once.
///
/// Started and closed once, from any thread.
public final class CatalogService implements AutoCloseable {
    /// How long a start may take before it has failed.
    public static final Duration START_TIMEOUT = Duration.ofSeconds(12);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    /// A service that never answered has nothing to hand over.
    private static final Duration GIVE_UP_TIMEOUT = Duration.ofSeconds(2);

    private final CatalogConfig config;
    private final ResourceTable table = new ResourceTable();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final ThreadReplacement threads = new ThreadReplacement(
            () -> ready.isDone() && !ready.isCompletedExceptionally(), System::nanoTime,
            pause -> LockSupport.parkNanos(pause.toNanos()));
    private @Nullable KafkaStreams streams;

    /// A service that is not started yet.
    public CatalogService(CatalogConfig config) {
        this.config = config;
    }

    /// Checks the fleet's topics, reads `tool.resource` to its end, joins the group and returns when steps are being
    /// answered.
    ///
    /// @throws CatalogStartException when that has not come about within [#START_TIMEOUT]; nothing runs then
    public synchronized void start() {
        if (streams != null)
            throw new IllegalStateException("the catalog service was started before");
        long giveUp = System.nanoTime() + START_TIMEOUT.toNanos();
        try {
            new FleetTopics(config.topics(), new HashMap<>(config.kafka()), FleetTopics.DEFAULT_TIMEOUT).check();
            KafkaStreams starting = new KafkaStreams(
                    CatalogTopology.of(config.topics(), table, config.retention()), StreamsSettings.of(config));
            streams = starting;
            starting.setUncaughtExceptionHandler(threads);
            starting.setStateListener((now, before) -> follow(now));
            starting.start();
            ready.get(giveUp - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (FleetTopicsException e) {
            throw new CatalogStartException(String.valueOf(e.getMessage()), e);
        } catch (KafkaException | ExecutionException e) {
            close();
            throw failed(e);
        } catch (TimeoutException e) {
            close();
            throw new CatalogStartException("the catalog service '" + config.applicationId() + "' was not ready within "
                    + START_TIMEOUT.toSeconds() + " s; is the broker overloaded, or another member stuck?", e);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new CatalogStartException("interrupted while the catalog service started", e);
        }
    }

    /// What every bundle shows now.
    public FleetResources resources() {
        return table.view();
    }

    /// How many of its threads died and were replaced.
    public int replacedThreads() {
        return threads.count();
    }

    /// Completes when the service has stopped: normally when it was closed, exceptionally when it cannot go on and its
    /// process should end.
    public CompletableFuture<Void> stopped() {
        return stopped.copy();
    }

    /// Leaves the group and stops, within about ten seconds; what was not committed is answered by the next owner.
    /// Closing again does nothing.
    @Override
    public synchronized void close() {
        if (streams != null) {
            boolean answered = ready.isDone() && !ready.isCompletedExceptionally();
            streams.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                    .withTimeout(answered ? CLOSE_TIMEOUT : GIVE_UP_TIMEOUT));
        }
        stopped.complete(null);
    }

    private void follow(KafkaStreams.State now) {
        switch (now) {
            case RUNNING -> ready.complete(null);
            case ERROR -> {
                Throwable reason = threads.last();
                IllegalStateException end = new IllegalStateException("the catalog service cannot go on", reason);
                ready.completeExceptionally(end);
                stopped.completeExceptionally(end);
            }
            case CREATED, REBALANCING, PENDING_SHUTDOWN, PENDING_ERROR, NOT_RUNNING -> {
                // On the way to one of the others, or closed by us.
            }
        }
    }

    private CatalogStartException failed(Exception problem) {
        Throwable cause = problem;
        Throwable died = threads.last();
        if (died != null)
            cause = died;
        while (cause.getCause() != null)
            cause = cause.getCause();
        String reason = cause.getMessage() == null
                ? cause.getClass().getSimpleName()
                : cause.getMessage().replaceAll("\\s+", " ");
        return new CatalogStartException("the catalog service '" + config.applicationId() + "' (state in "
                + config.stateDir() + ") could not start: " + reason, problem);
    }
}
