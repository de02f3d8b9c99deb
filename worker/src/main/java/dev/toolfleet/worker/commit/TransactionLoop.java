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

/// Publishes what finished, together with the offsets it came from, one transaction at a time; also the journal records
/// that calls wait for before they start, and what earlier owners have to say to the next.
///
/// Owns, on its one platform thread, the producers and all partitions' ledgers; others send events. Keeps G1 and G2: an
/// outcome is published in the transaction that commits its offset, in the order in which calls finished, only while its
/// assignment holds. Keeps G3: an intent goes with its offset, so that who lost the partition cannot write one.
public final class TransactionLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionLoop.class);
    static final long IDLE_MILLIS = 100;
    private static final long BACKOFF_MILLIS = 100;
    private static final long LAST_WORDS_MILLIS = 2_000;
    private static final long LONGEST_BACKOFF_MILLIS = 1_000;

    private final CommitConfig config;
    private final Ownership ownership;
    private final HeldAside listener;
    private final AssignedCommits partitions;
    private final PartitionLoads uncommitted = new PartitionLoads();
    private final Quarantine quarantine;
    private final FleetingRecords fleeting;
    private final TransactionPublisher publisher;
    private final List<CompletableFuture<Void>> flushes = new ArrayList<>();
    final BlockingQueue<CommitEvent> inbox = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean stopping;
    private volatile boolean ended;

    /// A loop that is started by [#start].
    ///
    /// @param producer makes the producer of the first or second transactional id
    /// @param committed tells what the group has committed, after a transaction of unknown end
    /// @param reachability tells when a partition that cannot be written can be again
    /// @param nanos `System.nanoTime`
    public TransactionLoop(CommitConfig config, Ownership ownership, IntFunction<Producer<byte[], byte[]>> producer,
            CommittedOffsets committed, Quarantine.Reachability reachability, PartitionListener listener,
            LongSupplier nanos) {
        this.config = config;
        this.ownership = ownership;
        this.listener = new HeldAside(uncommitted, listener);
        this.partitions = new AssignedCommits(config.maxMetadata(), uncommitted);
        this.quarantine = new Quarantine(reachability, nanos);
        this.fleeting = new FleetingRecords(reachability, nanos);
        this.publisher = new TransactionPublisher(config, partitions, quarantine, fleeting,
                new ProducerPair(producer, reachability, nanos), committed, this.listener, nanos);
        this.thread = Thread.ofPlatform().name("transactions").unstarted(this::run);
    }

    /// What a group has committed.
    @FunctionalInterface
    public interface CommittedOffsets {
        /// Waits for stable offsets of the partitions.
        Standings read(Iterable<Integer> partitions);
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
    public void opened(int partition, long epoch, Beginning from) {
        inbox.add(new CommitEvent.Opened(partition, epoch, from));
    }

    /// Records were read and will be finished. Sent before they can be.
    public void tracked(Source source, int partition, long epoch, Offsets offsets, long next) {
        inbox.add(new CommitEvent.Tracked(source, partition, epoch, offsets, next));
    }

    /// A call has ended.
    public void finished(Outcome outcome) {
        uncommitted.add(outcome.position(), outcome.bytes());
        inbox.add(new CommitEvent.Finished(outcome));
    }

    /// Outcomes that are not yet committed. They take memory: whoever takes calls in keeps them within bounds.
    public PartitionLoads uncommitted() {
        return uncommitted;
    }

    /// A call waits for a record of `tool.journal`, which is committed together with its partition's offset.
    ///
    /// @return when the transaction began, by `System.nanoTime`; null when the assignment ended first, which does not mean
    /// that the record is not there: its transaction may have been in doubt; fails when the broker refuses the record or
    /// the loop has ended
    public CompletableFuture<@Nullable Long> note(Position position, ProducerRecord<byte[], byte[]> record) {
        Note note = new Note(position, record);
        inbox.add(new CommitEvent.Noted(note));
        if (ended)
            note.committed().completeExceptionally(new IllegalStateException("transaction loop stopped"));
        return note.committed();
    }

    /// Publishes a record without an offset, once it can be written: what the next owner of a partition must know.
    public void publish(ProducerRecord<byte[], byte[]> record) {
        inbox.add(new CommitEvent.HandedOver(record));
    }

    /// Publishes a record that is worth something only now, such as how far a call is: soon, beside others, or never.
    public void publishOrDrop(ProducerRecord<byte[], byte[]> record) {
        fleeting.add(record);
    }

    /// An assignment has ended.
    public void closed(int partition, long epoch) {
        inbox.add(new CommitEvent.Closed(partition, epoch));
    }

    /// Done when everything that was sent before is committed or dropped, or waits for room in its partition's
    /// metadata; fails when the loop has ended.
    public CompletableFuture<Void> flush() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        inbox.add(new CommitEvent.Flush(done));
        // Asked after it was sent: either the loop finds it at its end, or this sees that it has ended.
        if (ended)
            done.completeExceptionally(new IllegalStateException("transaction loop stopped"));
        return done;
    }

    /// Done when the loop knows everything that was sent before, and publishes nothing that it contradicts.
    public CompletableFuture<Void> handled() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        inbox.add(new CommitEvent.Handled(done));
        if (ended)
            done.complete(null);
        return done;
    }

    /// How long nothing could be committed although something was to be; zero when all is well. For any thread.
    public Duration failing() {
        return Duration.ofNanos(publisher.failingNanos());
    }

    /// A topic that refuses what waits because this machine's clock is wrong, if there is one. For any thread.
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

    /// Does what can be done now, without waiting for news: handles what has come, publishes what has finished. False
    /// when that failed and is to be tried again a little later.
    boolean step() {
        drain();
        if (!publisher.readBack())
            return false;
        if (!publisher.publish(ownership.current(), ownership.isFenced()))
            return false;
        partitions.tellFullness(listener);
        if (!hasWork()) {
            // A worker that fenced itself has nothing to commit either, and the broker may be away.
            if (!ownership.isFenced())
                publisher.idle();
            flushes.removeIf(flush -> !quarantine.isAsking() && (flush.isDone() || flush.complete(null)));
        }
        return true;
    }

    /// How long the next step waits for news.
    long patienceMillis() {
        boolean idle = flushes.isEmpty() && !quarantine.isAsking();
        return publisher.inDoubt() || hasWork() ? 0 : idle ? IDLE_MILLIS : 1;
    }

    boolean hasWork() {
        return publisher.hasWork(ownership.current());
    }

    /// Waits for news, then lets a small batch wait for company.
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
            case CommitEvent.Opened(int partition, long epoch, Beginning from) ->
                partitions.opened(partition, epoch, from);
            case CommitEvent.Tracked(Source source, int partition, long epoch, Offsets offsets, long next) -> {
                if (!partitions.tracked(source, partition, epoch, offsets, next))
                    listener.wentBack(partition, epoch);
            }
            case CommitEvent.Noted(Note note) -> partitions.noted(note);
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

    /// Publishes what has come until now, if that takes no longer than a moment, and ends the thread: the assignments
    /// that ended last may have left something to tell to their heirs.
    @Override
    public void close() {
        try {
            if (thread.isAlive())
                flush().get(LAST_WORDS_MILLIS, MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).log("stopped before everything was published");
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
