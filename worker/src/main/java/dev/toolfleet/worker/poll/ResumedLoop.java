package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.worker.assignment.PartitionLoads;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.poll.FollowedPartition.Outcome;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/// Loop that reads `tool.call.resumed` for the assigned partitions: outcomes of pending calls, which it publishes, and
/// approvals, by which calls run.
///
/// **Contract.** One turn: execute commands, start the outcomes that have room, offer the approved calls to the lanes,
/// read more of the partitions that hold no waiting record. A partition whose approved call the lanes refuse is not
/// read on.
///
/// At most [#MAX_IN_FLIGHT] outcomes of a partition are in flight, each until its result is committed, and
/// [#MAX_BYTES_IN_FLIGHT] in all. The count is per partition, and quarantined partitions do not count in the total.
/// Otherwise: 200 outcomes of a partition that cannot be committed take all the room, and no other partition's
/// approvals and outcomes are read.
///
/// **Threads.** One platform thread owns the consumer, whose partitions are assigned by hand in step with the poll
/// loop's. Other threads send it commands.
public final class ResumedLoop implements AutoCloseable {
    /// Most outcomes of a partition that are guarded and published at a time.
    static final int MAX_IN_FLIGHT = 200;
    /// Most bytes of all outcomes in flight; each partition may have one outcome beyond that.
    static final long MAX_BYTES_IN_FLIGHT = 64L << 20;
    private static final Logger LOG = LoggerFactory.getLogger(ResumedLoop.class);
    private static final Duration IDLE = Duration.ofMillis(200);
    private static final Duration BUSY = Duration.ofMillis(20);
    private static final long BACKOFF_MILLIS = 200;

    private final String topic;
    private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
    private final ResumedListener ends;
    private final Consumer<Throwable> failed;
    private final Threads threads;
    private final Queue<Command> commands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final PartitionLoads onTheirWay = new PartitionLoads();
    private final int maxInFlight;
    private final Map<Integer, FollowedPartition> followed = new HashMap<>();
    private final Thread thread = Thread.ofPlatform().name("resumed").unstarted(this::run);
    private volatile boolean stopping;

    private sealed interface Command {
        record Open(int partition, long epoch, DoneOffsets start) implements Command {}

        record Close(int partition, long epoch) implements Command {}

        record Quarantine(int partition, long epoch, boolean on) implements Command {}
    }

    /// Threads of the ending calls, and the loop's pauses; a simulation has its own.
    @FunctionalInterface
    public interface Threads {
        /// Runs an end on a thread of its own.
        void start(Runnable end);

        /// Lets the loop's thread wait for a partition, or for a broker that does not answer.
        default void pause(long millis) throws InterruptedException {
            Thread.sleep(millis);
        }
    }

    /// Creates a loop; [#start] starts it.
    ///
    /// @param consumer needs no group and reads committed, from the beginning where an offset is gone
    /// @param failed called on the loop's thread if it cannot go on
    public ResumedLoop(String topic, org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
            ResumedListener ends,
            Consumer<Throwable> failed) {
        this(topic, consumer, ends, failed, end -> Thread.ofVirtual().name("resumed-call").start(end), MAX_IN_FLIGHT);
    }

    /// @param maxInFlight the most outcomes of a partition in flight
    public ResumedLoop(String topic, org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
            ResumedListener ends,
            Consumer<Throwable> failed, Threads threads, int maxInFlight) {
        this.topic = topic;
        this.consumer = consumer;
        this.ends = ends;
        this.failed = failed;
        this.threads = threads;
        this.maxInFlight = maxInFlight;
    }

    /// Starts the thread.
    public void start() {
        thread.start();
    }

    /// Starts to follow an assignment.
    public void opened(int partition, long epoch, DoneOffsets start) {
        send(new Command.Open(partition, epoch, start));
    }

    /// Stops following an assignment that has ended.
    public void closed(int partition, long epoch) {
        send(new Command.Close(partition, epoch));
    }

    /// Quarantines an assignment whose results cannot be written, or ends that: none of its outcomes or approved calls
    /// begins meanwhile.
    public void quarantine(int partition, long epoch, boolean on) {
        send(new Command.Quarantine(partition, epoch, on));
    }

    private void send(Command command) {
        commands.add(command);
        if (woken.compareAndSet(false, true))
            consumer.wakeup();
    }

    private void run() {
        try {
            while (!stopping)
                turn();
        } catch (InterruptedException | InterruptException e) {
            LOG.atWarn().log("interrupted");
        } catch (Throwable e) {
            LOG.atError().setCause(e).log("resumed loop stopped");
            failed.accept(e);
        } finally {
            consumer.close();
        }
    }

    void turn() throws InterruptedException {
        try {
            obey();
            startWaiting();
            boolean holds = offerHeld();
            if (followed.isEmpty()) {
                threads.pause(IDLE.toMillis() / 20);
            } else {
                takeIn(consumer.poll(holds ? BUSY : IDLE));
            }
        } catch (WakeupException e) {
            // There is a command.
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).log("resumed calls could not be read, trying again");
            threads.pause(BACKOFF_MILLIS);
        }
    }

    /// Returns true if the next turn should come soon.
    private boolean offerHeld() {
        boolean holds = false;
        for (Map.Entry<Integer, FollowedPartition> entry : followed.entrySet()) {
            FollowedPartition partition = entry.getValue();
            partition.offerHeld(ends);
            partition.settle(entry.getKey(), () -> consumer.position(on(entry.getKey())), ends);
            holds |= partition.holds() || !partition.isSettled();
            if (!partition.fullnessChanged())
                continue;
            List<TopicPartition> name = List.of(on(entry.getKey()));
            if (partition.isFull()) {
                consumer.pause(name);
            } else {
                consumer.resume(name);
            }
        }
        return holds;
    }

    private void obey() {
        woken.set(false);
        for (Command command = commands.poll(); command != null; command = commands.poll()) {
            switch (command) {
                case Command.Open(int partition, long epoch, DoneOffsets start) -> {
                    followed.put(partition, new FollowedPartition(epoch, start));
                    assign();
                    consumer.resume(List.of(on(partition)));
                    consumer.seek(on(partition), start.position());
                }
                case Command.Close(int partition, long epoch) -> {
                    FollowedPartition held = followed.get(partition);
                    if (held != null && held.epoch() == epoch) {
                        followed.remove(partition);
                        onTheirWay.setAside(partition, epoch, false);
                        assign();
                    }
                }
                case Command.Quarantine(int partition, long epoch, boolean on) -> {
                    FollowedPartition held = followed.get(partition);
                    if (held != null && held.epoch() == epoch) {
                        held.quarantine(on);
                        onTheirWay.setAside(partition, epoch, on);
                    }
                }
            }
        }
    }

    private void assign() {
        consumer.assign(followed.keySet().stream().map(this::on).toList());
    }

    private void startWaiting() {
        followed.forEach((partition, held) -> {
            for (Outcome next = next(partition, held); next != null; next = next(partition, held)) {
                Outcome read = next;
                onTheirWay.add(read.at(), read.bytes());
                AtomicBoolean released = new AtomicBoolean();
                Runnable done = () -> {
                    if (released.compareAndSet(false, true))
                        onTheirWay.remove(read.at(), read.bytes());
                };
                threads.start(() -> end(read, done));
            }
        });
    }

    private @Nullable Outcome next(int partition, FollowedPartition held) {
        return held.next(partition, onTheirWay, maxInFlight);
    }

    private void end(Outcome read, Runnable done) {
        try {
            ends.end(read.at(), read.call(), done);
        } catch (Throwable e) {
            LOG.atError().setCause(Unquoted.of(e)).addKeyValue(LogKeys.PARTITION, read.at().partition())
                    .addKeyValue(LogKeys.OFFSET, read.at().offset()).log("outcome not published");
            failed.accept(e);
        }
    }

    private void takeIn(ConsumerRecords<byte[], byte[]> records) {
        for (TopicPartition name : records.partitions()) {
            FollowedPartition held = followed.get(name.partition());
            if (held != null)
                held.takeIn(name.partition(), records.records(name),
                        requireNonNull(records.nextOffsets().get(name)).offset(), ends);
        }
    }

    private TopicPartition on(int partition) {
        return new TopicPartition(topic, partition);
    }

    @Override
    public void close() {
        stopping = true;
        consumer.wakeup();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
