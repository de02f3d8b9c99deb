package dev.toolfleet.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.Callback;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Sends calls and waits for their results. Thread-safe.
final class Calls {
    /// The travel time for an answer that was ready at the deadline.
    private static final Duration DEADLINE_MARGIN = Duration.ofSeconds(10);
    private static final WireCodec<CancelCall> CANCELS = WireCodec.of(CancelCall.class);
    private static final WireCodec<Callback> CALLBACKS = WireCodec.of(Callback.class);
    private static final WireCodec<ToolCall> CODEC = WireCodec.of(ToolCall.class);

    private final ClientConfig config;
    private final RecordSender sender;
    private final ResultReading results;
    private final Timeouts timeouts;
    private final InstantSource clock;
    private final Executor threads;

    Calls(ClientConfig config, RecordSender sender, ResultReading results, Timeouts timeouts, InstantSource clock,
            Executor threads) {
        this.config = config;
        this.sender = sender;
        this.results = results;
        this.timeouts = timeouts;
        this.clock = clock;
        this.threads = threads;
    }

    CallHandle call(ToolCall call, CallOptions options) {
        byte[] value = CODEC.write(call);
        OpenCall open = OpenCall.sending(call, results.recentEnds(), new CallHandle(threads));
        results.open().register(open);
        sender.send(Topic.CALL, call.instanceKey(), value, sender.traceparent(options.traceparent(), call.traceId()),
                headers(options), metadata -> sent(open, call, metadata),
                problem -> fail(open, Reason.NOT_SENT, open.label + " was not confirmed by "
                        + config.topics().name(Topic.CALL) + ": " + problem.getMessage(), problem));
        expire(open, call, options);
        return open.handle;
    }

    private static Map<String, String> headers(CallOptions options) {
        Callback callback = options.callback();
        return callback == null
                ? Map.of()
                : Map.of(WireHeaders.CALLBACK, new String(CALLBACKS.write(callback), StandardCharsets.UTF_8));
    }

    CallHandle await(CallIdentity identity, ClientPosition position, Duration timeout) {
        if (position.offsets().isEmpty()) {
            throw new IllegalStateException("a call of an earlier client is awaited from that client's position:"
                    + " open this one with ToolFleetClient.open(config, position)");
        }
        OpenCall open = OpenCall.awaited(identity, instanceOf(identity), position.offsets(), new CallHandle(threads));
        results.open().register(open);
        results.readAgain(position.offsets());
        timeouts.start(open.handle, timeout, Optional.empty(), waited -> expired(open, waited));
        return open.handle;
    }

    /// Cancels calls.
    CompletionStage<Void> cancel(CancelCall cancel) {
        if (!cancel.namesCalls()) {
            throw new IllegalArgumentException("this cancellation of instance '" + cancel.instanceKey()
                    + "' names no call: give a toolCallId, a stepId or a handle");
        }
        return sender.send(Topic.CONTROL, cancel.instanceKey(), CANCELS.write(cancel),
                "a cancellation for instance '" + cancel.instanceKey() + "'", threads);
    }

    /// Ends every open call; `reason` makes the exception from the call's name in messages.
    void failAll(Function<String, ToolFleetClientException> reason) {
        for (OpenCall open : results.open().all()) {
            if (results.open().remove(open))
                open.handle.fail(reason.apply(open.label));
        }
    }

    private void sent(OpenCall open, ToolCall call, RecordMetadata metadata) {
        if (!metadata.hasOffset()) {
            fail(open, Reason.NOT_SENT, open.label + " may have been sent, but the broker returned no offset; the"
                    + " same call with an idempotencyKey, or with its turnId and stepId, does not run twice", null);
            return;
        }
        // Follow before the call counts as sent, so that a position taken then includes its partition.
        results.follow(metadata.partition(), open.from);
        results.open().sent(open, CallIdentity.of(call, metadata.partition(), metadata.offset()),
                metadata.partition(), metadata.offset());
    }

    private void expire(OpenCall open, ToolCall call, CallOptions options) {
        Duration timeout = options.timeout();
        Instant deadline = call.deadline();
        if (timeout != null)
            timeouts.start(open.handle, timeout, Optional.empty(), waited -> expired(open, waited));
        else if (deadline != null) {
            Duration left = Duration.between(clock.instant(), deadline);
            Duration limit = (left.isNegative() ? Duration.ZERO : left).plus(DEADLINE_MARGIN);
            timeouts.start(open.handle, limit, Optional.empty(), waited -> expired(open, waited));
        } else {
            timeouts.start(open.handle, config.callTimeout(), Optional.of(config.pendingTimeout()),
                    waited -> expired(open, waited));
        }
    }

    private void expired(OpenCall open, Duration waited) {
        String where = open.record().map(record -> "it is on " + config.topics().name(Topic.CALL) + " partition "
                + record.partition() + " at offset " + record.offset()).orElse("its place is unknown");
        String problem = results.problem();
        String what = results.open().pending(open)
                .map(pending -> " has a pending result, and no final one after " + waited + "; " + where
                        + ". Its work goes on: look up the state of handle '" + pending.handle()
                        + "' (ToolFleetClient.handle, `toolfleet handles`), and await the call again from a stored"
                        + " position, or cancel it")
                .orElseGet(() -> " has no final result after " + waited + "; " + where
                        + ". Check that workers run and keep up (lag of their group on that topic), then "
                        + config.topics().name(Topic.DEAD_LETTER) + " and " + config.topics().name(Topic.PENDING));
        fail(open, Reason.TIMEOUT, open.label + what
                + (problem.isEmpty() ? "" : "; this client cannot read at present: " + problem), null);
    }

    private void fail(OpenCall open, Reason reason, String message, @Nullable Throwable cause) {
        if (results.open().remove(open))
            open.handle.fail(new ToolFleetClientException(reason, message, cause));
    }

    private static Optional<String> instanceOf(CallIdentity identity) {
        try {
            var parts = Json.MAPPER.readTree(identity.text());
            String first = parts.path(0).asString("");
            if (parts.isArray() && !first.isEmpty())
                return first.equals("@record") ? Optional.empty() : Optional.of(first);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a call identity: " + identity.text(), e);
        }
        throw new IllegalArgumentException("not a call identity: " + identity.text());
    }

    /// The part of [ResultReader] that calls need.
    interface ResultReading {
        OpenCalls open();

        Map<Integer, Long> recentEnds();

        void follow(int partition, Map<Integer, Long> from);

        void readAgain(Map<Integer, Long> from);

        String problem();
    }
}
