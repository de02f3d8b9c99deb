package dev.toolfleet.client;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.CompletionDecoder;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reports progress and outcome of work behind a handle, from the place where that work runs, such as a build farm.
/// Needs nothing else of the client.
///
/// **Contract.** A stage completes when the broker has the record, and fails with a [ToolFleetClientException] of
/// reason `NOT_SENT` otherwise. Whether the fleet accepts the record shows on `tool.result` or `tool.dead-letter`: the
/// handle must be open, the token right, and the record the first. Records of one handle arrive in the order in which
/// they were sent. The first that ends the work wins, so sending one again is safe.
///
/// Methods throw an [IllegalArgumentException] for a record that no worker would accept.
///
/// **Threads.** Thread-safe; one per process is enough. Stages complete on virtual threads. Methods may block up to
/// `brokerTimeout` while the broker does not answer.
public final class Completions implements AutoCloseable {
    /// The room for key, headers and framing of a record.
    private static final int OVERHEAD_BYTES = 8 * 1024;
    static final int MAX_BYTES = Topic.COMPLETION.maxRecordBytes() - OVERHEAD_BYTES;
    private static final WireCodec<Completion> CODEC = WireCodec.of(Completion.class);

    private final RecordSender sender;
    private final Duration closeTimeout;
    private final Executor threads;

    Completions(ClientConfig config, Producer<byte[], byte[]> producer) {
        this.sender = new RecordSender(producer, config.topics(), config.name(), InstantSource.system(),
                new SecureRandom());
        this.closeTimeout = config.brokerTimeout();
        var factory = Thread.ofVirtual().name("toolfleet-completions-" + config.name() + "-", 0).factory();
        this.threads = task -> factory.newThread(task).start();
    }

    /// Opens the completions of a fleet.
    ///
    /// @throws dev.toolfleet.client.topics.FleetTopicsException when the broker cannot be reached or has no
    ///         `tool.completion`
    /// @throws org.apache.kafka.common.KafkaException when a property of the producer is not valid
    public static Completions open(ClientConfig config) {
        new FleetTopics(config.topics(), config.properties(), config.brokerTimeout())
                .check(EnumSet.of(Topic.COMPLETION));
        return new Completions(config, new KafkaProducer<>(KafkaProperties.producer(config),
                new ByteArraySerializer(), new ByteArraySerializer()));
    }

    /// Reports that the work is done.
    ///
    /// @param output the output of the call's result
    /// @param token required if the call has one
    public CompletionStage<Void> completed(String handle, @Nullable JsonNode output, @Nullable String token) {
        return send(Completion.completed(handle, output, token));
    }

    /// Reports that the work failed.
    ///
    /// @param error code and message, and advice for the model
    /// @param token required if the call has one
    public CompletionStage<Void> failed(String handle, ToolError error, @Nullable String token) {
        return send(Completion.failed(handle, error, token));
    }

    /// Reports that the work was given up; the call ends with `E_TOOL_CANCELLED`.
    ///
    /// @param reason for people and the model; null for none
    /// @param token required if the call has one
    public CompletionStage<Void> cancelled(String handle, @Nullable ToolError reason, @Nullable String token) {
        return send(Completion.cancelled(handle, reason, token));
    }

    /// Reports that the work goes on. Also the heartbeat for a `heartbeatTimeout`.
    ///
    /// @param progress `percent` from 0 to 100, or a message, or both
    /// @param token required if the call has one
    public CompletionStage<Void> progress(String handle, Progress progress, @Nullable String token) {
        return send(Completion.progress(handle, progress, token));
    }

    /// Sends a completion.
    ///
    /// @throws IllegalArgumentException when it is not well formed or too large
    public CompletionStage<Void> send(Completion completion) {
        String problem = CompletionDecoder.problem(completion);
        if (problem != null)
            throw new IllegalArgumentException("this completion would not be accepted: " + problem);
        byte[] value = CODEC.write(completion);
        if (value.length > MAX_BYTES) {
            throw new IllegalArgumentException("the completion of handle '" + completion.handle() + "' has "
                    + value.length + " bytes as JSON, at most " + MAX_BYTES + " can be sent: keep large output where"
                    + " the work is done and send its address");
        }
        return sender.send(Topic.COMPLETION, completion.handle(), value, "completion (" + completion.kind().text()
                + ") of handle '" + completion.handle() + "'", threads);
    }

    /// Waits for records under way, at most `brokerTimeout`.
    @Override
    public void close() {
        sender.close(closeTimeout);
    }
}
