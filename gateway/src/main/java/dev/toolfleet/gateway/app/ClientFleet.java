package dev.toolfleet.gateway.app;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import dev.toolfleet.client.CallHandle;
import dev.toolfleet.client.CallOptions;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.Completions;
import dev.toolfleet.client.Decisions;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.gateway.rest.FleetWriter;
import dev.toolfleet.wire.Callback;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;

/// The fleet by the Kafka clients of this process. Thread-safe.
public final class ClientFleet implements FleetWriter, AutoCloseable {
    private final ClientConfig config;
    private final ToolFleetClient client;
    private final Completions completions;
    private final Decisions decisions;

    /// Connects.
    ///
    /// @throws dev.toolfleet.client.topics.FleetTopicsException when the broker cannot be reached or its topics are not
    ///         the fleet's
    public ClientFleet(ClientConfig config) {
        this.config = config;
        client = ToolFleetClient.open(config);
        try {
            completions = Completions.open(config.named(config.name() + "-completions"));
            decisions = Decisions.open(config.named(config.name() + "-decisions"));
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /// A call that waits is forgotten after the wait: the read model knows it from then on.
    @Override
    public SentRequest call(ToolCall call, Duration wait, @Nullable String traceparent, @Nullable Callback callback) {
        CallHandle handle = client.call(call,
                new CallOptions(wait.plus(config.brokerTimeout()), traceparent, callback));
        return new SentRequest(handle.sent(), handle.firstResult());
    }

    @Override
    public CompletionStage<StepCatalogView> beginStep(StepStarted step) {
        return client.beginStep(step);
    }

    @Override
    public CompletionStage<Void> endStep(StepEnded step) {
        return client.endStep(step);
    }

    @Override
    public CompletionStage<Void> cancel(CancelCall cancel) {
        return client.cancel(cancel);
    }

    @Override
    public CompletionStage<HandleState> handle(String handle) {
        return client.handle(handle);
    }

    @Override
    public CompletionStage<Void> complete(Completion completion) {
        return completions.send(completion);
    }

    @Override
    public CompletionStage<Void> decide(Decision decision) {
        return decisions.send(decision);
    }

    @Override
    public void close() {
        client.close();
        completions.close();
        decisions.close();
    }
}
