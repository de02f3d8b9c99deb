package dev.toolfleet.catalog.topology;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.catalog.assemble.AgentCatalog;
import dev.toolfleet.catalog.assemble.CatalogAssembly;
import dev.toolfleet.catalog.assemble.StepHistory;
import dev.toolfleet.catalog.telemetry.CatalogLogKeys;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.policy.ClearedLabels;
import dev.toolfleet.streams.DeadLetters;
import dev.toolfleet.streams.Outgoing;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers the steps of one partition, in that partition, whatever the keys are: the step's producer may choose
/// partitions by another hash.
///
/// A failure to read or to decide turns the record into a dead letter. A failure to store or to send ends the thread.
final class StepProcessor implements Processor<byte[], byte[], byte[], Outgoing> {
    static final String SOURCE = "/toolfleet/catalog-service";
    private static final Logger LOG = LoggerFactory.getLogger(StepProcessor.class);

    private final CatalogAssembly catalogs;
    private final ClearedLabels cleared;
    private final Retention retention;
    private final RecentContents contents = new RecentContents();
    private final DeadLetters deadLetters = new DeadLetters(SOURCE);
    private @Nullable Bound bound;

    /// The context and the stores of a task.
    private record Bound(ProcessorContext<byte[], Outgoing> context, KeyValueStore<String, byte[]> steps,
            KeyValueStore<String, byte[]> memories, KeyValueStore<String, byte[]> labels) {
        int partition() {
            return context.taskId().partition();
        }

        Instant now() {
            return Instant.ofEpochMilli(context.currentSystemTimeMs());
        }
    }

    /// Answer to one record.
    private record Answer(StepCatalog step, Optional<AgentCatalog> catalog) {}

    StepProcessor(CatalogAssembly catalogs, ClearedLabels cleared, Duration retention) {
        this.catalogs = catalogs;
        this.cleared = cleared;
        this.retention = new Retention(retention);
    }

    @Override
    public void init(ProcessorContext<byte[], Outgoing> context) {
        // A task that was dropped with its transaction may start again with this object.
        contents.forget();
        bound = new Bound(context, context.getStateStore(StepStore.NAME), context.getStateStore(MemoryStore.NAME),
                context.getStateStore(LabelStore.NAME));
        context.schedule(Retention.BETWEEN_RUNS, PunctuationType.WALL_CLOCK_TIME, time -> expire());
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        Bound in = bound();
        String origin = in.context().recordMetadata().map(DeadLetters::origin).orElse("");
        Optional<Answer> answer;
        try {
            answer = answer(in, StepDecoder.decode(record.value()));
        } catch (WireFormatException e) {
            refuse(record, origin, "malformed: " + e.getMessage(), "malformed");
            return;
        } catch (IllegalArgumentException | IllegalStateException | ClassCastException | NullPointerException e) {
            refuse(record, origin, "failed: " + e, "failed: " + e.getClass().getSimpleName());
            return;
        }
        answer.ifPresent(given -> send(in, record, origin, given));
    }

    private Optional<Answer> answer(Bound in, StepEvent event) {
        String key = StepCatalog.key(event.instanceKey(), event.agentName());
        StepCatalog previous = StepStore.read(in.steps().get(key));
        return switch (event) {
            case StepStarted started -> {
                AgentCatalog catalog = catalogs.of(started,
                        () -> MemoryStore.facts(in.memories().get(key)),
                        () -> LabelStore.of(in.labels(), started.instanceKey(), cleared), in.now());
                yield Optional.of(new Answer(StepHistory.started(previous, started, catalog, in.now()),
                        Optional.of(catalog)));
            }
            case StepEnded ended -> StepHistory.ended(previous, ended, in.now())
                    .map(step -> new Answer(step, Optional.empty()));
        };
    }

    private void send(Bound in, Record<byte[], byte[]> record, String origin, Answer answer) {
        TraceContext trace = TraceContext.of(KafkaHeaders.text(record.headers(), WireHeaders.TRACEPARENT),
                KafkaHeaders.text(record.headers(), WireHeaders.TRACESTATE));
        StepCatalog step = answer.step();
        answer.catalog().filter(catalog -> contents.isDue(catalog.digest(), in.now()))
                .ifPresent(catalog -> forward(in, CatalogTopology.CONTENT_SINK, EventType.CATALOG_CONTENT,
                        catalog.digest(), catalog.digest() + "/" + origin, trace,
                        Outgoing.anywhere(catalog.content().bytes())));
        String key = StepCatalog.key(step.instanceKey(), step.agentName());
        byte[] bytes = StepStore.write(step);
        in.steps().put(key, bytes);
        forward(in, CatalogTopology.STEP_SINK, EventType.CATALOG_STEP, key, origin, trace,
                Outgoing.to(in.partition(), bytes));
    }

    private void forward(Bound in, String sink, EventType type, String key, String id, @Nullable TraceContext trace,
            Outgoing value) {
        Instant now = in.now();
        Map<String, String> headers = WireHeaders.cloudEvent(type, id, SOURCE, key, now, null);
        TraceContext.put(trace, headers);
        in.context().forward(new Record<>(key.getBytes(StandardCharsets.UTF_8), value, now.toEpochMilli(),
                KafkaHeaders.of(headers)), sink);
    }

    private void refuse(Record<byte[], byte[]> record, String origin, String reason, String logged) {
        LOG.atWarn().addKeyValue(CatalogLogKeys.ORIGIN, origin).addKeyValue(CatalogLogKeys.REASON, logged)
                .log("step became a dead letter");
        bound().context().forward(deadLetters.of(record, origin, reason), CatalogTopology.DEAD_LETTER_SINK);
    }

    private void expire() {
        Bound in = bound();
        for (String key : retention.expire(in.steps(), in.now())) {
            in.memories().delete(key);
            in.context().forward(new Record<>(key.getBytes(StandardCharsets.UTF_8),
                    Outgoing.to(in.partition(), null), in.context().currentSystemTimeMs()), CatalogTopology.STEP_SINK);
        }
    }

    private Bound bound() {
        if (bound == null)
            throw new IllegalStateException("process before init");
        return bound;
    }
}
