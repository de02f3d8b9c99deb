package dev.toolfleet.streams;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/// One run of a topology in this process, from its start to its end.
///
/// **Contract.** A thread that dies is replaced, after longer and longer pauses. Its uncommitted work is done again.
///
/// **Threads.** Started and closed once, from any thread; all methods are thread-safe.
public final class StreamsRun implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    /// A run that was never ready has nothing to hand over.
    private static final Duration GIVE_UP_TIMEOUT = Duration.ofSeconds(2);

    private static final String CLOSED = "it was closed";

    private final String name;
    private final Topology topology;
    private final StreamsSettings settings;
    private final Producers producers;
    private final ThreadReplacement threads;
    private final RestoreProgress restoring = new RestoreProgress();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private @Nullable Started started;
    private boolean closed;

    /// @param starter waits in [KafkaStreams#start()] for global stores, however long that takes
    private record Started(KafkaStreams streams, Thread starter) {}

    /// Makes the producers of a run, which Kafka Streams uses and closes.
    @FunctionalInterface
    public interface Producers {
        /// Makes Kafka's own producers.
        Producers PLAIN = config -> new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());

        /// Returns a new producer.
        ///
        /// @param config the settings that Kafka Streams requests
        Producer<byte[], byte[]> of(Map<String, Object> config);
    }

    /// Makes a run that is not started yet.
    ///
    /// @param name the run's name in messages and logs, such as `the catalog service`
    /// @param topology for this run alone
    public StreamsRun(String name, Topology topology, StreamsSettings settings) {
        this(name, topology, settings, Producers.PLAIN);
    }

    /// Makes a run with producers of its own.
    public StreamsRun(String name, Topology topology, StreamsSettings settings, Producers producers) {
        this.producers = producers;
        this.name = name;
        this.topology = topology;
        this.settings = settings;
        this.threads = new ThreadReplacement(name, this::wasReady, System::nanoTime,
                pause -> LockSupport.parkNanos(pause.toNanos()));
    }

    /// Reads global stores to their end, joins the group, restores the stores of this member's partitions and returns
    /// when records are being processed.
    ///
    /// @throws StreamsStartException when the run is not ready within the timeout, with the reason, or when it was
    ///         closed. Nothing is processed then; the clean-up takes up to two seconds more
    public void start(Duration timeout) {
        try {
            begin();
            ready.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (KafkaException | ExecutionException e) {
            close();
            throw failed(e);
        } catch (TimeoutException e) {
            close();
            throw new StreamsStartException(name + " '" + settings.applicationId() + "' was not ready within "
                    + timeout.toMillis() + " ms; is the broker overloaded, or another member stuck?", e);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new StreamsStartException("interrupted while " + name + " started", e);
        }
    }

    /// True if records are being processed now: the run was started, has not stopped, and no rebalance is under way.
    public synchronized boolean isRunning() {
        return started != null && started.streams().state() == KafkaStreams.State.RUNNING;
    }

    /// Returns the instance of Kafka Streams, for its stores, members and metrics; empty before the start. Only this
    /// run starts and closes it.
    public synchronized Optional<KafkaStreams> streams() {
        return Optional.ofNullable(started).map(Started::streams);
    }

    /// True if this member processes that partition of the topology's input now. Also true for a member that its group
    /// has removed and that has not noticed it yet.
    public synchronized boolean owns(int partition) {
        return isRunning() && started != null && started.streams().metadataForLocalThreads().stream()
                .flatMap(thread -> thread.activeTasks().stream())
                .anyMatch(task -> task.taskId().partition() == partition);
    }

    /// Number of threads that died and were replaced.
    public int replacedThreads() {
        return threads.count();
    }

    /// Returns the number of records, transactions' marks too, that stores have yet to read back before this member
    /// processes their partitions.
    public long restoring() {
        return restoring.left();
    }

    /// Completes when the run has stopped: normally when it was closed, exceptionally when it cannot go on and its
    /// process should end.
    public CompletableFuture<Void> stopped() {
        return stopped.copy();
    }

    /// Leaves the group and stops, within about ten seconds. The next owner does the uncommitted work again. A start
    /// that is under way fails. Closing again does nothing.
    @Override
    public void close() {
        Started closing = markClosed();
        if (closing != null) {
            boolean leaves = wasReady();
            ready.completeExceptionally(new IllegalStateException(CLOSED));
            // No other thread can close the run while this one waits.
            closing.starter().interrupt();
            closing.streams()
                    .close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                            .withTimeout(leaves ? CLOSE_TIMEOUT : GIVE_UP_TIMEOUT));
        }
        stopped.complete(null);
    }

    private synchronized void begin() {
        if (closed)
            throw failed(new IllegalStateException(CLOSED));
        if (started != null)
            throw new IllegalStateException(name + " was started before");
        KafkaStreams streams = new KafkaStreams(topology, settings.properties(), new PacedClients(producers));
        streams.setUncaughtExceptionHandler(threads);
        streams.setStateListener((now, before) -> follow(now));
        streams.setGlobalStateRestoreListener(restoring);
        started = new Started(streams,
                Thread.ofVirtual().name(settings.applicationId() + "-start").start(() -> await(streams)));
    }

    private synchronized @Nullable Started markClosed() {
        closed = true;
        return started;
    }

    private void await(KafkaStreams streams) {
        try {
            streams.start();
        } catch (KafkaException | IllegalStateException e) {
            ready.completeExceptionally(e);
        }
    }

    private void follow(KafkaStreams.State now) {
        switch (now) {
            case RUNNING -> ready.complete(null);
            case ERROR -> {
                IllegalStateException end = new IllegalStateException(name + " cannot go on", threads.last());
                ready.completeExceptionally(end);
                stopped.completeExceptionally(end);
            }
            case CREATED, REBALANCING, PENDING_SHUTDOWN, PENDING_ERROR, NOT_RUNNING -> {
                // On the way to one of the others, or closed by us.
            }
        }
    }

    private boolean wasReady() {
        return ready.isDone() && !ready.isCompletedExceptionally();
    }

    private StreamsStartException failed(Exception problem) {
        Throwable cause = problem;
        Throwable died = threads.last();
        if (died != null)
            cause = died;
        while (cause.getCause() != null)
            cause = cause.getCause();
        String reason = cause.getMessage() == null
                ? cause.getClass().getSimpleName()
                : cause.getMessage().replaceAll("\\s+", " ");
        return new StreamsStartException(name + " '" + settings.applicationId() + "' (state in " + settings.stateDir()
                + ") could not start: " + reason, problem);
    }
}
