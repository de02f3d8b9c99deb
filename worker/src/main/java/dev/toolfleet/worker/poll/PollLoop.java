package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/// Reads calls. Owns, on its one platform thread, the group's consumer and what is known of each assigned partition;
/// others send it commands. Never blocks on a call: what the lanes refuse is held, and only that partition is paused.
///
/// One turn: do what was asked, offer again what was refused, pause or resume, poll, publish what is owned, take in.
public final class PollLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);

    private final PollConfig config;
    private final Consumer<byte[], byte[]> consumer;
    private final Ownership ownership;
    private final Engine engine;
    private final TakeOvers takeOvers;
    private final Map<Integer, AssignedPartition> assigned = new HashMap<>();
    private final Queue<PollCommand> commands = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Thread thread;
    private volatile boolean stopping;
    private volatile boolean draining;
    private volatile boolean allStarted;
    private volatile @Nullable Throwable failure;
    private long epochs;

    /// A loop that is started by [#start].
    public PollLoop(PollConfig config, Consumer<byte[], byte[]> consumer, Ownership ownership, Engine engine,
            TakeOvers takeOvers) {
        this.config = config;
        this.consumer = consumer;
        this.ownership = ownership;
        this.engine = engine;
        this.takeOvers = takeOvers;
        this.thread = Thread.ofPlatform().name("poll").unstarted(this::run);
    }

    /// What the poll loop feeds: lanes and transactions. Nothing here may block, but for [#committed].
    public interface Engine {
        /// A partition starts.
        void opened(int partition, long epoch, DoneOffsets start);

        /// Calls were read; comes before they are offered.
        void tracked(int partition, long epoch, Offsets offsets, long next);

        /// Takes a call in, or refuses it for now.
        boolean offer(Arrival arrival);

        /// Queued calls of the assignment must not start any more.
        void stopStarting(int partition, long epoch);

        /// The assignment is over: what still runs is interrupted, and what comes of it dropped.
        void closed(int partition, long epoch);

        /// Done when everything that has finished is committed.
        CompletableFuture<Void> committed();
    }

    /// Finds out, off the poll thread, where an assigned partition starts.
    public interface TakeOvers {
        /// Begins; the answer comes through [PollLoop#adopt].
        void begin(int partition, long epoch);

        /// The answer is no longer wanted.
        void cancel(int partition, long epoch);
    }

    /// Subscribes and starts the thread.
    public void start() {
        thread.start();
    }

    /// A take-over is complete.
    public void adopt(int partition, long epoch, DoneOffsets start) {
        commands.add(new PollCommand.Adopt(partition, epoch, start));
    }

    /// The partition is not to be read for a reason, or may be again.
    public void hold(int partition, long epoch, PartitionListener.Hold why, boolean on) {
        commands.add(new PollCommand.Hold(partition, epoch, why, on));
    }

    /// Starts no new call; polling goes on, so that the worker stays in its group while running calls end.
    public void drain() {
        commands.add(new PollCommand.Drain());
    }

    /// Whether no new call starts any more.
    public boolean isDraining() {
        return draining;
    }

    /// Whether the worker is a member of its group and every partition that it owns has started. True for a spare
    /// worker that owns none.
    public boolean allStarted() {
        return allStarted;
    }

    /// Ends the loop, because nothing can be published any more.
    public void fail(Throwable cause) {
        failure = cause;
        stopping = true;
    }

    /// Done when the loop has ended; exceptionally when it broke.
    public CompletableFuture<Void> ended() {
        return ended;
    }

    private void run() {
        try {
            subscribe();
            while (!stopping)
                turn();
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(5)));
            Throwable broken = failure;
            if (broken != null) {
                ended.completeExceptionally(broken);
            } else {
                ended.complete(null);
            }
        } catch (Throwable e) {
            LOG.atError().setCause(e).log("poll loop stopped");
            try {
                consumer.close(CloseOptions.timeout(Duration.ZERO));
            } finally {
                ended.completeExceptionally(e);
            }
        }
    }

    void subscribe() {
        consumer.subscribe(List.of(config.topic()), new Rebalances(this));
    }

    void turn() {
        obey();
        boolean refused = offerHeld();
        pauseAndResume();
        ConsumerRecords<byte[], byte[]> records = consumer.poll(refused ? config.busy() : config.idle());
        publishOwnership();
        allStarted = consumer.groupMetadata().generationId() >= 0
                && assigned.values().stream().allMatch(AssignedPartition::isAdopted);
        for (TopicPartition partition : records.partitions()) {
            takeIn(partition.partition(), records.records(partition),
                    requireNonNull(records.nextOffsets().get(partition)).offset());
        }
    }

    private void obey() {
        for (PollCommand command = commands.poll(); command != null; command = commands.poll()) {
            switch (command) {
                case PollCommand.Adopt(int partition, long epoch, DoneOffsets start) -> {
                    AssignedPartition held = assigned.get(partition);
                    if (held != null && held.epoch() == epoch) {
                        consumer.seek(new TopicPartition(config.topic(), partition), start.frontier());
                        engine.opened(partition, epoch, start);
                        held.adopted(start);
                        LOG.atInfo().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.EPOCH, epoch)
                                .addKeyValue(LogKeys.OFFSET, start.frontier()).log("partition starts");
                    }
                }
                case PollCommand.Hold(int partition, long epoch, var why, boolean on) -> {
                    AssignedPartition held = assigned.get(partition);
                    if (held != null && held.epoch() == epoch)
                        held.hold(why, on);
                }
                case PollCommand.Drain() -> {
                    draining = true;
                    assigned.forEach((partition, held) -> engine.stopStarting(partition, held.epoch()));
                }
            }
        }
    }

    /// True when something is still refused.
    private boolean offerHeld() {
        if (draining)
            return false;
        boolean refused = false;
        for (AssignedPartition partition : assigned.values())
            refused |= !partition.offerHeld(engine);
        return refused;
    }

    private void pauseAndResume() {
        assigned.forEach((number, partition) -> {
            boolean pause = draining || !partition.wantsRecords();
            if (pause == partition.isPaused())
                return;
            List<TopicPartition> one = List.of(new TopicPartition(config.topic(), number));
            if (pause) {
                consumer.pause(one);
            } else {
                consumer.resume(one);
            }
            partition.paused(pause);
        });
    }

    private void takeIn(int number, List<ConsumerRecord<byte[], byte[]>> records, long next) {
        AssignedPartition partition = assigned.get(number);
        // Fetched before a pause took hold, under an assignment that is not adopted: the seek reads it again.
        if (partition == null || !partition.isAdopted())
            return;
        engine.tracked(number, partition.epoch(), partition.takeIn(records), next);
        if (!draining)
            partition.offerHeld(engine);
    }

    void publishOwnership() {
        ownership.publish(new Ownership.Snapshot(consumer.groupMetadata(), assigned.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().epoch()))));
    }

    void assigned(Collection<TopicPartition> partitions) {
        consumer.pause(partitions);
        for (TopicPartition partition : partitions) {
            // Any position will do until the take-over has found the right one: without one, the consumer would look the
            // committed offset up inside poll and hold up the other partitions.
            consumer.seek(partition, 0);
            long epoch = ++epochs;
            assigned.put(partition.partition(), new AssignedPartition(epoch));
            takeOvers.begin(partition.partition(), epoch);
        }
        publishOwnership();
    }

    void revoked(Collection<TopicPartition> partitions) {
        publishOwnership();
        for (TopicPartition partition : partitions) {
            AssignedPartition held = assigned.get(partition.partition());
            if (held == null)
                continue;
            held.forgetHeld();
            engine.stopStarting(partition.partition(), held.epoch());
        }
        RevokeWait.until(engine.committed(), config.revokeTimeout());
        lost(partitions);
    }

    void lost(Collection<TopicPartition> partitions) {
        Map<Integer, AssignedPartition> gone = new HashMap<>();
        for (TopicPartition partition : partitions) {
            AssignedPartition held = assigned.remove(partition.partition());
            if (held != null)
                gone.put(partition.partition(), held);
        }
        publishOwnership();
        gone.forEach((partition, held) -> {
            takeOvers.cancel(partition, held.epoch());
            engine.closed(partition, held.epoch());
            LOG.atInfo().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.EPOCH, held.epoch())
                    .log("partition given up");
        });
    }

    /// Leaves the group and ends the thread; drain and commit first.
    @Override
    public void close() {
        stopping = true;
        try {
            thread.join(15_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
