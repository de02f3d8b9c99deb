package dev.toolfleet.gateway.rest;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.client.ToolFleetClientException.Reason;
import org.jspecify.annotations.Nullable;

/// Waits of a request's thread for stages of the client.
public final class Stages {
    /// More than the client's own limit for an answer of the broker.
    private static final Duration BROKER = Duration.ofSeconds(30);

    private Stages() {}

    /// Waits until the broker has a record.
    public static <T> T sent(CompletionStage<T> stage, String what) {
        try {
            T value = within(stage, BROKER);
            if (value != null)
                return value;
            throw Refusals.later("the broker has not answered; " + what + " may have been accepted");
        } catch (ToolFleetClientException e) {
            throw Refusals.later(what + " was not sent, or the broker did not confirm it");
        }
    }

    /// Waits until the broker has a record that gets no answer.
    public static void sentOnly(CompletionStage<Void> stage, String what) {
        var _ = sent(stage.thenApply(_ -> true), what);
    }

    /// Waits at most that long; null when nothing came.
    ///
    /// @throws ToolFleetClientException for every failure but a timeout
    public static <T> @Nullable T within(CompletionStage<T> stage, Duration wait) {
        try {
            return stage.toCompletableFuture().get(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Refusals.later("the gateway is stopping");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ToolFleetClientException failure) {
                if (failure.reason() == Reason.TIMEOUT)
                    return null;
                throw failure;
            }
            throw new IllegalStateException("a stage of the client failed", e.getCause());
        }
    }
}
