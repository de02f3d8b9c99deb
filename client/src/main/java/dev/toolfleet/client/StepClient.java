package dev.toolfleet.client;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;

/// Announces steps and reads their catalogs. Thread-safe.
final class StepClient {
    private static final Logger LOG = LoggerFactory.getLogger(StepClient.class);
    private static final WireCodec<StepEvent> EVENTS = WireCodec.of(StepEvent.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);
    private static final ObjectReader CONTENTS = Json.MAPPER.readerForListOf(ToolCatalogItem.class);

    private final ClientConfig config;
    private final RecordSender sender;
    private final FollowLoop loop;
    private final EndOffsets catalogEnds;
    private final Timeouts timeouts;
    private final Executor threads;
    private final StepWaits waits = new StepWaits();

    StepClient(ClientConfig config, RecordSender sender, FollowLoop loop, EndOffsets catalogEnds, Timeouts timeouts,
            Executor threads) {
        this.config = config;
        this.sender = sender;
        this.loop = loop;
        this.catalogEnds = catalogEnds;
        this.timeouts = timeouts;
        this.threads = threads;
    }

    CompletionStage<StepCatalogView> begin(StepStarted step) {
        var ends = catalogEnds.recent();
        Begun begun = new Begun(step, new SerialExecutor(threads), new CompletableFuture<>());
        waits.register(begun);
        loop.follow(contentPartition(), 0);
        String catalogTopic = config.topics().name(Topic.CATALOG_STEP);
        sender.send(Topic.STEP, step.instanceKey(), EVENTS.write(step), sender.traceparent(null, null),
                metadata -> loop.follow(new TopicPartition(catalogTopic, metadata.partition()),
                        ends.getOrDefault(metadata.partition(), 0L)),
                problem -> fail(begun, notSent(step, problem)));
        timeouts.start(begun.view, config.stepTimeout(), () -> fail(begun, late(begun)));
        return begun.view.minimalCompletionStage();
    }

    CompletionStage<Void> end(StepEnded step) {
        CompletableFuture<Void> written = new CompletableFuture<>();
        SerialExecutor serial = new SerialExecutor(threads);
        sender.send(Topic.STEP, step.instanceKey(), EVENTS.write(step), sender.traceparent(null, null),
                metadata -> serial.post(() -> written.complete(null)),
                problem -> serial.post(() -> written.completeExceptionally(notSent(step, problem))));
        return written.minimalCompletionStage();
    }

    /// Takes a record of `tool.catalog.step`, on the loop's thread.
    void acceptCatalog(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null || (record.key() != null
                && !waits.concerns(new String(record.key(), StandardCharsets.UTF_8))))
            return;
        try {
            if (waits.catalog(CATALOGS.read(record.value())))
                loop.readAgain(contentPartition(), 0);
        } catch (WireFormatException e) {
            unreadable(record, e);
        }
    }

    /// Takes a record of `tool.catalog.content`, on the loop's thread.
    void acceptContent(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null || record.value() == null)
            return;
        try {
            List<ToolCatalogItem> tools = CONTENTS.readValue(record.value());
            waits.content(new String(record.key(), StandardCharsets.UTF_8), tools);
        } catch (JacksonException e) {
            unreadable(record, e);
        }
    }

    /// Ends every wait; `reason` makes the exception from the step's name in messages.
    void failAll(Function<String, ToolFleetClientException> reason) {
        for (StepWaits.Waiting waiting : waits.all()) {
            if (waiting instanceof Begun begun)
                fail(begun, reason.apply(label(begun.step)));
        }
    }

    private void fail(Begun begun, ToolFleetClientException reason) {
        waits.remove(begun);
        begun.serial.post(() -> begun.view.completeExceptionally(reason));
    }

    private TopicPartition contentPartition() {
        return new TopicPartition(config.topics().name(Topic.CATALOG_CONTENT), 0);
    }

    private ToolFleetClientException notSent(StepEvent step, Throwable problem) {
        return new ToolFleetClientException(Reason.NOT_SENT, label(step) + " was not announced on "
                + config.topics().name(Topic.STEP) + ": " + problem.getMessage(), problem);
    }

    private ToolFleetClientException late(Begun begun) {
        String what = waits.awaitedContent(begun)
                .map(digest -> " names content " + digest + ", which is not on "
                        + config.topics().name(Topic.CATALOG_CONTENT))
                .orElse(" did not come: check that a catalog service runs (`toolfleet catalog`) and that a bundle"
                        + " declares the agent '" + begun.step.agentName() + "' (`toolfleet apply`)");
        String problem = loop.problem();
        return new ToolFleetClientException(Reason.TIMEOUT, "after " + config.stepTimeout() + " the catalog of "
                + label(begun.step) + what
                + (problem.isEmpty() ? "" : "; this client cannot read at present: " + problem), null);
    }

    private static String label(StepEvent step) {
        return "step '" + step.stepId() + "' of agent '" + step.agentName() + "', instance '" + step.instanceKey()
                + "'";
    }

    private static void unreadable(ConsumerRecord<byte[], byte[]> record, RuntimeException problem) {
        LOG.warn("record left out: unreadable; topic={} partition={} offset={}", record.topic(),
                record.partition(), record.offset(), Unquoted.of(problem));
    }

    private record Begun(StepStarted step, SerialExecutor serial, CompletableFuture<StepCatalogView> view)
            implements
                StepWaits.Waiting {
        @Override
        public void complete(StepCatalogView found) {
            serial.post(() -> view.complete(found));
        }

        // Two waits for one step are distinct.
        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
