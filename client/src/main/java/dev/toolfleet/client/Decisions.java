package dev.toolfleet.client;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// Writes decisions about calls that wait for approval, for example from a chat bot with two buttons. Needs nothing
/// else of the client, and only the right to write `tool.decision`. A writer with that right can put any name into
/// `by`: authenticate people before you write for them.
///
/// **Contract.** A stage completes when the broker has the record, and fails with a [ToolFleetClientException] of
/// reason `NOT_SENT` otherwise. Whether the fleet accepts the decision shows on `tool.audit` and `tool.result`, or on
/// `tool.dead-letter`: the approval must be open, and the decision the first. So sending one again is safe. If a rule
/// requires several people, each approval counts once by its `by`, and a rejection counts at once.
///
/// Methods throw an [IllegalArgumentException] for a record that no worker would accept.
///
/// **Threads.** Thread-safe; one per process is enough. Stages complete on virtual threads. Methods may block up to
/// `brokerTimeout` while the broker does not answer.
public final class Decisions implements AutoCloseable {
    private static final WireCodec<Decision> CODEC = WireCodec.of(Decision.class);

    private final RecordSender sender;
    private final Duration closeTimeout;
    private final Executor threads;

    Decisions(ClientConfig config, Producer<byte[], byte[]> producer) {
        this.sender = new RecordSender(producer, config.topics(), config.name(), InstantSource.system(),
                new SecureRandom());
        this.closeTimeout = config.brokerTimeout();
        var factory = Thread.ofVirtual().name("toolfleet-decisions-" + config.name() + "-", 0).factory();
        this.threads = task -> factory.newThread(task).start();
    }

    /// Opens the decisions of a fleet.
    ///
    /// @throws dev.toolfleet.client.topics.FleetTopicsException when the broker cannot be reached or has no
    ///         `tool.decision`
    /// @throws org.apache.kafka.common.KafkaException when a property of the producer is not valid
    public static Decisions open(ClientConfig config) {
        new FleetTopics(config.topics(), config.properties(), config.brokerTimeout())
                .check(EnumSet.of(Topic.DECISION));
        return new Decisions(config, new KafkaProducer<>(KafkaProperties.producer(config),
                new ByteArraySerializer(), new ByteArraySerializer()));
    }

    /// Approves the call as it was shown; it then runs once. Its worker evaluates the policy again at that moment.
    ///
    /// Does not count for a call that people are not shown whole ([dev.toolfleet.wire.Approval#isShownWhole]): the
    /// decision becomes a dead letter, and the call keeps waiting.
    ///
    /// @param by the person who decided
    /// @param reason for auditors; null for none
    public CompletionStage<Void> approve(String handle, String by, @Nullable String reason) {
        return send(Decision.approve(handle, by, reason));
    }

    /// Approves a call that people are not shown whole: offer it only beside that warning.
    ///
    /// @param by the person who decided
    /// @param reason for auditors; null for none
    public CompletionStage<Void> approveDespiteHidden(String handle, String by, @Nullable String reason) {
        return send(Decision.approve(handle, by, reason).evenIfHidden());
    }

    /// Rejects the call; it ends with `E_TOOL_APPROVAL_REJECTED`.
    ///
    /// @param by the person who decided; the model sees it
    /// @param reason for people and the model; null for none, but models do better with one
    public CompletionStage<Void> reject(String handle, String by, @Nullable String reason) {
        return send(Decision.reject(handle, by, reason));
    }

    /// Sends a decision.
    ///
    /// @throws IllegalArgumentException when its handle is not valid, or a text is longer than the fleet keeps
    public CompletionStage<Void> send(Decision decision) {
        String handle = decision.handle();
        if (handle.isBlank() || handle.length() > PendingCall.MAX_HANDLE) {
            throw new IllegalArgumentException("this decision would not be accepted: 'handle' has " + handle.length()
                    + " characters; 1 to " + PendingCall.MAX_HANDLE + " are accepted");
        }
        check("by", decision.by(), Decision.MAX_BY);
        check("reason", decision.reason(), Decision.MAX_REASON);
        return sender.send(Topic.DECISION, handle, CODEC.write(decision), "decision (" + decision.decision().text()
                + ") about handle '" + handle + "'", threads);
    }

    private static void check(String field, @Nullable String text, int most) {
        if (text != null && text.length() > most) {
            throw new IllegalArgumentException("'" + field + "' has " + text.length() + " characters; the fleet keeps "
                    + most + " of it: shorten it");
        }
    }

    /// Waits for records under way, at most `brokerTimeout`.
    @Override
    public void close() {
        sender.close(closeTimeout);
    }
}
