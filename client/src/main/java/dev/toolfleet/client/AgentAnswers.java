package dev.toolfleet.client;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.AgentReplyTo;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes an agent runtime's answers to the `delegate` events of its agents. The event's `replyTo` decides where an
/// answer goes: to the requester's pending call, or to the requester's instance as an event.
///
/// **Contract.** A stage completes when the broker has the record, and fails with a [ToolFleetClientException] of
/// reason `NOT_SENT` otherwise. Answering again is safe: the first answer counts.
///
/// **Threads.** Thread-safe; one per process is enough.
public final class AgentAnswers implements AutoCloseable {
    private static final WireCodec<AgentEvent> CODEC = WireCodec.of(AgentEvent.class);

    private final RecordSender sender;
    private final Completions completions;
    private final InstantSource clock;
    private final Duration closeTimeout;
    private final Executor threads;

    AgentAnswers(ClientConfig config, Producer<byte[], byte[]> producer, InstantSource clock) {
        this.sender = new RecordSender(producer, config.topics(), config.name(), clock, new SecureRandom());
        this.completions = new Completions(config, producer);
        this.clock = clock;
        this.closeTimeout = config.brokerTimeout();
        var factory = Thread.ofVirtual().name("toolfleet-answers-" + config.name() + "-", 0).factory();
        this.threads = task -> factory.newThread(task).start();
    }

    /// Opens the answers of a runtime.
    ///
    /// @throws dev.toolfleet.client.topics.FleetTopicsException when the broker cannot be reached or topics are missing
    /// @throws org.apache.kafka.common.KafkaException when a property of the producer is not valid
    public static AgentAnswers open(ClientConfig config) {
        new FleetTopics(config.topics(), config.properties(), config.brokerTimeout())
                .check(EnumSet.of(Topic.AGENT_EVENT, Topic.COMPLETION));
        return new AgentAnswers(config, new KafkaProducer<>(KafkaProperties.producer(config),
                new ByteArraySerializer(), new ByteArraySerializer()), InstantSource.system());
    }

    /// Reports that the work is done.
    ///
    /// @param response the answer for the requester's model
    /// @throws IllegalArgumentException when the event is no `delegate`
    public CompletionStage<Void> answered(AgentEvent request, JsonNode response) {
        AgentReplyTo replyTo = replyTo(request);
        ObjectNode payload = Json.MAPPER.createObjectNode();
        if (replyTo.handle() == null) {
            payload.set("response", response);
            return result(request, replyTo, payload, null);
        }
        payload.put("target", request.to().agent()).put("instanceKey", request.to().instanceKey())
                .put("eventId", request.id()).put("correlationId", request.correlationId()).put("accepted", true)
                .put("async", false).set("response", response);
        return completions.send(Completion.completed(replyTo.handle(), payload, replyTo.token()));
    }

    /// Reports that the work failed; the requester's call fails with this error.
    ///
    /// @throws IllegalArgumentException when the event is no `delegate`
    public CompletionStage<Void> failed(AgentEvent request, ToolError error) {
        AgentReplyTo replyTo = replyTo(request);
        return replyTo.handle() == null
                ? result(request, replyTo, null, error)
                : completions.send(Completion.failed(replyTo.handle(), error, replyTo.token()));
    }

    /// Reports that the work goes on: the requester's wait of `timeoutMs` begins anew. Sends nothing when no call
    /// waits.
    ///
    /// @throws IllegalArgumentException when the event is no `delegate`
    public CompletionStage<Void> working(AgentEvent request, Progress progress) {
        AgentReplyTo replyTo = replyTo(request);
        return replyTo.handle() == null
                ? CompletableFuture.completedStage(null)
                : completions.send(Completion.progress(replyTo.handle(), progress, replyTo.token()));
    }

    /// Sends an event that the runtime starts itself.
    public CompletionStage<Void> send(AgentEvent event) {
        return sender.send(Topic.AGENT_EVENT, event.to().instanceKey(), CODEC.write(event),
                "event '" + event.id() + "'", threads);
    }

    private CompletionStage<Void> result(AgentEvent request, AgentReplyTo replyTo, @Nullable JsonNode payload,
            @Nullable ToolError error) {
        if (replyTo.agent() == null || replyTo.instanceKey() == null)
            return CompletableFuture.completedStage(null);
        AgentAddress to = new AgentAddress(replyTo.agent(), replyTo.instanceKey());
        Instant now = clock.instant();
        return send(new AgentEvent(request.id() + "-result", AgentEvent.Type.DELEGATE_RESULT, request.to(), to,
                request.name(), payload, error, request.correlationId(), null, null, request.traceId(), null,
                request.userId(), request.channelId(), now, null, request.metadata()));
    }

    private static AgentReplyTo replyTo(AgentEvent request) {
        AgentReplyTo replyTo = request.replyTo();
        if (replyTo == null) {
            throw new IllegalArgumentException("event '" + request.id() + "' is a " + request.type()
                    + ": only a delegate is answered");
        }
        return replyTo;
    }

    /// Waits for records under way, at most `brokerTimeout`.
    @Override
    public void close() {
        sender.close(closeTimeout);
    }
}
