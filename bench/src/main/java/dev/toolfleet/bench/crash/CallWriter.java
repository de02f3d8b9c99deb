package dev.toolfleet.bench.crash;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

import dev.toolfleet.bench.load.CallPlan;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.bench.verdict.CallFact;
import dev.toolfleet.bench.verdict.ClientFact;
import dev.toolfleet.bench.verdict.Written;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Writes the planned calls when they are due, some of them twice, and their steps before. A broker that is away delays
/// them, and so does a catalog that does not come.
final class CallWriter implements CallSource {
    private static final WireCodec<ToolCall> CODEC = WireCodec.of(ToolCall.class);
    private static final int PATIENCE_MILLIS = 120_000;
    private static final Duration AHEAD = Duration.ofSeconds(5);

    private final String topic;
    private final AwaitedCalls open;
    private final CallLedger ledger;
    private final KafkaProducer<byte[], byte[]> producer;
    private final StepFeed steps;
    /// Held while a record is handed to the producer, and while the topic is replaced.
    private final ReentrantLock writing = new ReentrantLock();
    private final AtomicReference<Optional<Exception>> problem = new AtomicReference<>(Optional.empty());
    private int deletedTopics;

    CallWriter(String bootstrapServers, Topics topics, AwaitedCalls open, CallLedger ledger) {
        this.topic = topics.name(Topic.CALL);
        this.open = open;
        this.ledger = ledger;
        this.producer = producer(bootstrapServers);
        this.steps = new StepFeed(topics.name(Topic.STEP), producer);
    }

    /// A producer that waits for a broker that is away.
    static KafkaProducer<byte[], byte[]> producer(String bootstrapServers) {
        return new KafkaProducer<>(Map.of("bootstrap.servers", bootstrapServers, "acks", "all",
                "delivery.timeout.ms", PATIENCE_MILLIS, "max.block.ms", PATIENCE_MILLIS, "linger.ms", 2,
                "max.request.size", Topic.MAX_WRAPPING_RECORD_BYTES,
                // Or a batch that a new topic refuses at first is refused for ever, since the next one was taken before
                // it.
                "max.in.flight.requests.per.connection", 1,
                // Or a broker that is away takes the topics' metadata with it, and sending waits for its return.
                "metadata.recovery.strategy", "none"),
                new ByteArraySerializer(), new ByteArraySerializer());
    }

    private record Due(Duration at, PlannedCall call, boolean again) {}

    /// The calls of a plan that begin within a duration, with their steps announced some time before.
    private final class Agenda {
        private final CallPlan plan;
        private final Duration duration;
        private final Deque<PlannedCall> next = new ArrayDeque<>();
        private final PriorityQueue<Due> again = new PriorityQueue<>(Comparator.comparing(Due::at));
        private PlannedCall beyond;

        Agenda(CallPlan plan, Duration duration) {
            this.plan = plan;
            this.duration = duration;
            this.beyond = plan.next();
        }

        void announce(Duration until) {
            while (beyond.at().compareTo(until) <= 0 && beyond.at().compareTo(duration) < 0) {
                steps.announce(beyond);
                next.add(beyond);
                beyond = plan.next();
            }
        }

        Optional<Due> poll() {
            Due second = again.peek();
            PlannedCall call = next.peek();
            if (second != null && (call == null || second.at().compareTo(call.at()) < 0))
                return Optional.ofNullable(again.poll());
            if (call == null)
                return Optional.empty();
            next.remove();
            call.again().ifPresent(at -> again.add(new Due(at, call, true)));
            return Optional.of(new Due(call.at(), call, false));
        }
    }

    @Override
    public void run(CallPlan plan, Duration duration) throws InterruptedException {
        Agenda agenda = new Agenda(plan, duration);
        long start = System.nanoTime();
        agenda.announce(AHEAD);
        for (Optional<Due> due = agenda.poll(); due.isPresent(); due = agenda.poll()) {
            Due now = due.get();
            agenda.announce(now.at().plus(AHEAD));
            // Second records that are due after the end are written at once.
            long wait = now.at().compareTo(duration) < 0 ? start + now.at().toNanos() - System.nanoTime() : 0;
            if (wait > 0)
                Thread.sleep(Duration.ofNanos(wait));
            steps.awaitCatalog(now.call());
            send(now.call());
        }
        producer.flush();
    }

    private void send(PlannedCall call) {
        writing.lock();
        try {
            ledger.sent(call);
            open.sent(call.id(), call.work().course().deferred());
            int before = deletedTopics;
            var _ = producer.send(new ProducerRecord<>(topic, call.instance().getBytes(StandardCharsets.UTF_8),
                    CODEC.write(call.onTheWire())), (metadata, failure) -> {
                        if (failure == null)
                            ledger.acknowledged(new CallLedger.Entry(call.id(), metadata.partition(), new Written(
                                    before, metadata.offset(), Instant.ofEpochMilli(metadata.timestamp()))));
                        else
                            problem.compareAndSet(Optional.empty(), Optional.of(failure));
                    });
        } finally {
            writing.unlock();
        }
    }

    /// Has the topic of calls replaced by another one of its name. Until then no call is under way, so that each record
    /// is known to be in the one or the other.
    @Override
    public void replaceTopic(Work replacement) throws InterruptedException {
        writing.lockInterruptibly();
        try {
            producer.flush();
            replacement.run();
            deletedTopics++;
            open.topicDeleted();
        } finally {
            writing.unlock();
        }
    }

    @Override
    public int deletedTopics() {
        writing.lock();
        try {
            return deletedTopics;
        } finally {
            writing.unlock();
        }
    }

    @Override
    public void published(StepCatalog catalog) {
        steps.published(catalog);
    }

    @Override
    public Optional<Exception> problem() {
        return problem.get();
    }

    @Override
    public List<CallFact> facts(FactReader reader) {
        return ledger.facts();
    }

    @Override
    public List<ClientFact> clients() {
        return List.of();
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
