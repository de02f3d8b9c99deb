package dev.toolfleet.worker.commit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.PartitionLoads;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.assignment.Position.Source;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/// Loop that publishes outcomes together with the offsets of their calls, one transaction at a time. It also writes the
/// journal records that calls wait for before they start, and the hand-overs of earlier owners to the next.
///
/// **Contract.** Keeps G1 and G2 of `docs/guarantees.md`: an outcome is published in the transaction that commits its
/// offset, in the order in which calls finished, only while its assignment holds. Keeps G3: an intent goes with its
/// offset, so that a worker that lost the partition cannot write one.
///
/// **Threads.** One platform thread owns the producers and all partitions' ledgers. Other threads send events.
public final class TransactionLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionLoop.class);
    static final long IDLE_MILLIS = 100;
    private static final long BACKOFF_MILLIS = 100;
    private static final long LAST_WORDS_MILLIS = 2_000;
    private static final long LONGEST_BACKOFF_MILLIS = 1_000;

    private final CommitConfig config;
    private final Ownership ownership;
    private final HeldPartitions listener;
    private final AssignedCommits partitions;
    private final PartitionLoads uncommitted = new PartitionLoads();
    private final Quarantine quarantine;
    private final DroppableRecords fleeting;
    private final TransactionPublisher publisher;
    private final List<CompletableFuture<Void>> flushes = new ArrayList<>();
    final BlockingQueue<CommitEvent> inbox = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean stopping;
    private volatile boolean ended;

    /// Creates a loop; [#start] starts it.
    ///
    /// @param producer makes the producer of the first or second transactional id
    /// @param committed reads the group's offsets after a transaction of unknown end
    /// @param reachability checks whether a partition that could not be written can be again
    /// @param nanos `System.nanoTime`
    public TransactionLoop(CommitConfig config, Ownership ownership, IntFunction<Producer<byte[], byte[]>> producer,
            CommittedOffsets committed, Quarantine.Reachability reachability, PartitionListener listener,
            LongSupplier nanos) {
        this.config = config;
        this.ownership = ownership;
        this.listener = new HeldPartitions(uncommitted, listener);
        this.partitions = new AssignedCommits(config.maxMetadata(), uncommitted);
        this.quarantine = new Quarantine(reachability, nanos);
        this.fleeting = new DroppableRecords(reachability, nanos);
        this.publisher = new TransactionPublisher(config, partitions, quarantine, fleeting,
                new ProducerPair(producer, reachability, nanos), committed, this.listener, nanos);
        this.thread = Thread.ofPlatform().name("transactions").unstarted(this::run);
    }

    /// Takes both transactional ids, fencing earlier holders, and starts the thread.
    public void start() {
        ready();
        thread.start();
    }

    void ready() {
        publisher.ready();
    }

    /// An assignment begins.
    public void opened(int partition, long epoch, AssignmentStart from) {
        inbox.add(new CommitEvent.Opened(partition, epoch, from));
    }

    /// Records were read and will be finished. Must be sent before they can be finished.
    public void tracked(Source source, int partition, long epoch, Offsets offsets, long next) {
        inbox.add(new CommitEvent.Tracked(source, partition, epoch, offsets, next));
    }

    /// A call has ended.
    public void finished(Outcome outcome) {
        uncommitted.add(outcome.position(), outcome.bytes());
        inbox.add(new CommitEvent.Finished(outcome));
    }

    /// Returns the loads of uncommitted outcomes. They take memory: callers that take calls in must bound them.
    public PartitionLoads uncommitted() {
        return uncommitted;
    }

    /// Sends a record of `tool.journal` that a call waits for. It is committed together with its partition's offset.
    ///
    /// @return the time at which the transaction began, by `System.nanoTime`; null if the assignment ended first, which
    /// does not mean that the record was not written: its transaction may have been in doubt; fails if the broker
    /// refuses the record or the loop has ended
    public CompletableFuture<@Nullable Long> note(Position position, ProducerRecord<byte[], byte[]> record) {
        JournalNote note = new JournalNote(position, record);
        inbox.add(new CommitEvent.Noted(note));
        if (ended)
            note.committed().completeExceptionally(new IllegalStateException("transaction loop stopped"));
        return note.committed();
    }

    /// Publishes a record for the next owner of a partition, without an offset, as soon as it can be written.
    public void publish(ProducerRecord<byte[], byte[]> record) {
        inbox.add(new CommitEvent.HandedOver(record));
    }

    /// Publishes a record that matters only now, such as the progress of a call: soon, beside other records, or never.
    public void publishOrDrop(ProducerRecord<byte[], byte[]> record) {
        fleeting.add(record);
    }

    /// An assignment has ended.
    public void closed(int partition, long epoch) {
        inbox.add(new CommitEvent.Closed(partition, epoch));
    }

    /// Completes once everything that was sent before is committed or dropped, or waits for room in its partition's
    /// metadata. Fails if the loop has ended.
    public CompletableFuture<Void> flush() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        inbox.add(new CommitEvent.Flush(done));
        // Checked after the event was sent: either the loop finds the event at its end, or this thread sees that the
        // loop has ended.
        if (ended)
            done.completeExceptionally(new IllegalStateException("transaction loop stopped"));
        return done;
    }

    /// Completes once the loop has handled everything that was sent before. From then on it publishes nothing that
    /// contradicts these events.
    public CompletableFuture<Void> handled() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        inbox.add(new CommitEvent.Handled(done));
        if (ended)
            done.complete(null);
        return done;
    }

    /// Returns the time for which no transaction could be committed although entries wait; zero if there is no failure.
    /// For any thread.
    public Duration failing() {
        return Duration.ofNanos(publisher.failingNanos());
    }

    /// Returns a topic that refuses waiting records because this machine's clock is wrong; null if there is none. For
    /// any thread.
    public @Nullable String clockRefused() {
        return publisher.clockRefused();
    }

    private void run() {
        try {
            for (long backoff = BACKOFF_MILLIS; !stopping;) {
                receive();
                if (step()) {
                    backoff = BACKOFF_MILLIS;
                } else {
                    Thread.sleep(backoff);
                    backoff = Math.min(2 * backoff, LONGEST_BACKOFF_MILLIS);
                }
            }
        } catch (Throwable e) {
            LOG.atError().setCause(e).log("transaction loop stopped");
            listener.failed(e);
        } finally {
            ended = true;
            failWaiting();
            publisher.close();
        }
    }

    /// Handles the events that have come and publishes one transaction, without waiting. Returns false if that failed
    /// and is to be tried again a little later.
    boolean step() {
        drain();
        if (!publisher.readBack())
            return false;
        if (!publisher.publish(ownership.current(), ownership.isFenced()))
            return false;
        partitions.tellFullness(listener);
        if (!hasWork()) {
            // A worker that fenced itself has nothing to commit either, and the broker may not answer.
            if (!ownership.isFenced())
                publisher.idle();
            flushes.removeIf(flush -> !quarantine.isAsking() && (flush.isDone() || flush.complete(null)));
        }
        return true;
    }

    /// Returns the longest wait of the next step for an event.
    long patienceMillis() {
        boolean idle = flushes.isEmpty() && !quarantine.isAsking();
        return publisher.inDoubt() || hasWork() ? 0 : idle ? IDLE_MILLIS : 1;
    }

    boolean hasWork() {
        return publisher.hasWork(ownership.current());
    }

    /// Waits for an event, then lets a small batch wait for more.
    private void receive() throws InterruptedException {
        CommitEvent first = inbox.poll(patienceMillis(), MILLISECONDS);
        if (first == null)
            return;
        handle(first);
        drain();
        long until = System.nanoTime() + config.linger().toNanos();
        for (long left = config.linger().toNanos(); left > 0 && lingers(); left = until - System.nanoTime()) {
            CommitEvent next = inbox.poll(left, NANOSECONDS);
            if (next != null)
                handle(next);
        }
    }

    private boolean lingers() {
        return flushes.isEmpty() && partitions.waiting() < config.lingerBelow();
    }

    private void drain() {
        for (CommitEvent next = inbox.poll(); next != null; next = inbox.poll())
            handle(next);
    }

    private void handle(CommitEvent event) {
        switch (event) {
            case CommitEvent.Opened(int partition, long epoch, AssignmentStart from) ->
                partitions.opened(partition, epoch, from);
            case CommitEvent.Tracked(Source source, int partition, long epoch, Offsets offsets, long next) -> {
                if (!partitions.tracked(source, partition, epoch, offsets, next))
                    listener.wentBack(partition, epoch);
            }
            case CommitEvent.Noted(JournalNote note) -> partitions.noted(note);
            case CommitEvent.Finished(Outcome outcome) -> partitions.finished(outcome);
            case CommitEvent.HandedOver(var record) -> partitions.handedOver(record);
            case CommitEvent.Closed(int partition, long epoch) -> {
                if (partitions.holds(partition, epoch))
                    quarantine.closed(partition);
                partitions.closed(partition, epoch);
                listener.closed(partition, epoch);
            }
            case CommitEvent.Handled(CompletableFuture<Void> done) -> done.complete(null);
            case CommitEvent.Flush(CompletableFuture<Void> done) -> flushes.add(partitions.hurry(done));
        }
    }

    private void failWaiting() {
        IllegalStateException stopped = new IllegalStateException("transaction loop stopped");
        for (CommitEvent event = inbox.poll(); event != null; event = inbox.poll()) {
            if (event instanceof CommitEvent.Flush(var done))
                flushes.add(done);
            if (event instanceof CommitEvent.Noted(var note))
                partitions.noted(note);
        }
        partitions.failNotes(stopped);
        flushes.removeIf(flush -> flush.isDone() || flush.completeExceptionally(stopped));
    }

    /// Publishes everything that has come until now, within two seconds, and ends the thread. The assignments that
    /// ended last may have left hand-overs for the next owners.
    @Override
    public void close() {
        try {
            if (thread.isAlive())
                flush().get(LAST_WORDS_MILLIS, MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString())
                    .log("transaction loop closed before all outcomes were published");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stopping = true;
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
