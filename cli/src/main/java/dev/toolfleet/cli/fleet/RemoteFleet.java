package dev.toolfleet.cli.fleet;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.config.FleetConfig;

/// A fleet that runs elsewhere, as commands reach it.
public final class RemoteFleet {
    private RemoteFleet() {}

    /// How a command's clients reach the fleet.
    public static ClientConfig client(FleetConfig fleet) {
        return ClientConfig.of(fleet.kafka().bootstrapServers()).named("cli").with(fleet.kafka().properties())
                .on(fleet.topics().topics());
    }

    /// Waits for what a client was asked.
    ///
    /// @throws Failure when the client could not bring it
    public static <T> T get(CompletionStage<T> stage) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ToolFleetClientException cause)
                throw Failure.failed(String.valueOf(cause.getMessage()), cause);
            throw new IllegalStateException(e.getCause());
        }
    }
}
