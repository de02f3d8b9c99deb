package dev.toolfleet.client;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// Writes the messages of sessions: those of users and of the model. The session service writes those of results
/// (`docs/sessions.md`).
///
/// **Contract.** A stage completes when the broker has the event, and fails with a [ToolFleetClientException] of reason
/// `NOT_SENT` otherwise. An event that is refused shows on `session.report`. Events of one conversation keep their order,
/// and a message with a known id is ignored, so sending one again is safe.
///
/// **Threads.** Thread-safe; one per process is enough. Stages complete on virtual threads. Methods may block up to
/// `brokerTimeout` while the broker does not answer.
public final class Sessions implements AutoCloseable {
    /// The room for key, headers and framing of a record.
    private static final int OVERHEAD_BYTES = 8 * 1024;
    private static final int MAX_BYTES = Topic.SESSION_MESSAGE.maxRecordBytes() - OVERHEAD_BYTES;
    private static final WireCodec<MessageEvent> CODEC = WireCodec.of(MessageEvent.class);

    private final RecordSender sender;
    private final String by;
    private final InstantSource clock = InstantSource.system();
    private final Duration closeTimeout;
    private final Executor threads;

    Sessions(ClientConfig config, Producer<byte[], byte[]> producer) {
        this.sender = new RecordSender(producer, config.topics(), config.name(), clock, new SecureRandom());
        this.by = config.name();
        this.closeTimeout = config.brokerTimeout();
        var factory = Thread.ofVirtual().name("toolfleet-sessions-" + config.name() + "-", 0).factory();
        this.threads = task -> factory.newThread(task).start();
    }

    /// Opens the sessions of a fleet. The client's name is the writer of its events, and the holder of its leases.
    ///
    /// @throws dev.toolfleet.client.topics.FleetTopicsException when the broker cannot be reached or has no
    ///         `session.message`
    /// @throws org.apache.kafka.common.KafkaException when a property of the producer is not valid
    public static Sessions open(ClientConfig config) {
        new FleetTopics(config.topics(), config.properties(), config.brokerTimeout())
                .check(EnumSet.of(Topic.SESSION_MESSAGE));
        return new Sessions(config, new KafkaProducer<>(KafkaProperties.producer(config), new ByteArraySerializer(),
                new ByteArraySerializer()));
    }

    /// Adds a message at the end.
    public CompletionStage<Void> append(String instanceKey, String agentName, SessionMessage message) {
        return send(MessageEvent.append(instanceKey, agentName, message, by));
    }

    /// Puts a message in the place of another.
    public CompletionStage<Void> replace(String instanceKey, String agentName, String targetId,
            SessionMessage message) {
        return send(event(MessageEvent.Type.REPLACE, instanceKey, agentName, message, targetId, null));
    }

    /// Removes a message.
    public CompletionStage<Void> remove(String instanceKey, String agentName, String targetId) {
        return send(event(MessageEvent.Type.REMOVE, instanceKey, agentName, null, targetId, null));
    }

    /// Requests a compaction by the session service. Its outcome is a report of kind `compaction` on `session.report`.
    public CompletionStage<Void> compact(String instanceKey, String agentName) {
        return send(event(MessageEvent.Type.COMPACT, instanceKey, agentName, null, null, null));
    }

    /// Removes all messages.
    public CompletionStage<Void> truncate(String instanceKey, String agentName) {
        return send(event(MessageEvent.Type.TRUNCATE, instanceKey, agentName, null, null, null));
    }

    /// Takes or renews the right to write the turn. Its token stands in the session's state; renew it at a third of its
    /// length.
    ///
    /// @param length zero gives the lease back
    public CompletionStage<Void> lease(String instanceKey, String agentName, Duration length) {
        return send(event(MessageEvent.Type.LEASE, instanceKey, agentName, null, null, length.toMillis()));
    }

    /// Sends an event, such as one that expects a `seq` ([MessageEvent#expecting]).
    ///
    /// @throws IllegalArgumentException when it is too large
    public CompletionStage<Void> send(MessageEvent event) {
        byte[] value = CODEC.write(event);
        if (value.length > MAX_BYTES) {
            throw new IllegalArgumentException("the message event for instance '" + event.instanceKey() + "' has "
                    + value.length + " bytes as JSON, at most " + MAX_BYTES
                    + " can be sent: keep large content elsewhere and send its address");
        }
        return sender.send(Topic.SESSION_MESSAGE, event.instanceKey(), value,
                "message event (" + event.type().name().toLowerCase(Locale.ROOT) + ") of instance '"
                        + event.instanceKey() + "'",
                threads);
    }

    private MessageEvent event(MessageEvent.Type type, String instanceKey, String agentName,
            @Nullable SessionMessage message, @Nullable String targetId, @Nullable Long leaseMs) {
        Instant now = clock.instant();
        return new MessageEvent(type, instanceKey, agentName, null, null, null, message, targetId, null, leaseMs, by,
                now);
    }

    /// Waits for events under way, at most `brokerTimeout`.
    @Override
    public void close() {
        sender.close(closeTimeout);
    }
}
