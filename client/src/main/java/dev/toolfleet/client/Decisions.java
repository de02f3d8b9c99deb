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

/// What an approver uses, such as a chat bot with two buttons: says whether a call that waits for a person may run.
/// Needs nothing else of the client, and only the right to write `tool.decision`. Whoever has that right can name
/// anybody as `by`: authenticate people before you write for them.
///
/// A stage ends when the broker has the record, and fails with a [ToolFleetClientException] of reason `NOT_SENT`
/// otherwise; whether the fleet believes it (the approval is open, nobody was faster) shows on `tool.audit` and
/// `tool.result`, or on `tool.dead-letter`. The first decision about a handle wins, so sending one again is safe. Where a
/// rule wants several people, each approval counts once by its `by`, and a rejection at once.
///
/// Thread-safe; one per process is enough. Stages complete on virtual threads. Methods may block up to `brokerTimeout`
/// while the broker does not answer. They throw an [IllegalArgumentException] for what no worker would accept.
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

    /// Decisions about a fleet's calls.
    ///
    /// @throws dev.toolfleet.client.topics.FleetTopicsException when the broker cannot be reached or has no
    /// `tool.decision`
    /// @throws org.apache.kafka.common.KafkaException when a property of the producer is not valid
    public static Decisions open(ClientConfig config) {
        new FleetTopics(config.topics(), config.properties(), config.brokerTimeout())
                .check(EnumSet.of(Topic.DECISION));
        return new Decisions(config, new KafkaProducer<>(KafkaProperties.producer(config),
                new ByteArraySerializer(), new ByteArraySerializer()));
    }

    /// The call may run, once, as it was asked about. Its worker asks the policy of that moment again.
    ///
    /// Does not count for a call of which a person is not shown all ([dev.toolfleet.wire.Approval#isShownWhole]): then it
    /// becomes a dead letter, and the call waits on.
    ///
    /// @param by who decided
    /// @param reason for auditors; null for none
    public CompletionStage<Void> approve(String handle, String by, @Nullable String reason) {
        return send(Decision.approve(handle, by, reason));
    }

    /// The same for a call of which a person is not shown all: offer it only beside that warning.
    ///
    /// @param by who decided
    /// @param reason for auditors; null for none
    public CompletionStage<Void> approveDespiteHidden(String handle, String by, @Nullable String reason) {
        return send(Decision.approve(handle, by, reason).evenIfHidden());
    }

    /// The call must not run; it ends with `E_TOOL_APPROVAL_REJECTED`.
    ///
    /// @param by who decided; the model is told
    /// @param reason why, for people and the model; null for none, but models do better with one
    public CompletionStage<Void> reject(String handle, String by, @Nullable String reason) {
        return send(Decision.reject(handle, by, reason));
    }

    /// Sends a decision.
    ///
    /// @throws IllegalArgumentException when its handle is none, or more is said than the fleet keeps
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

    /// Waits for what is under way, at most `brokerTimeout`.
    @Override
    public void close() {
        sender.close(closeTimeout);
    }
}
