package dev.toolfleet.cli.command;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.StopSignal;

/// Wait of `worker`, `catalog` and `gateway` for their end: a signal, or a broken service.
final class ServiceCommand {
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    private ServiceCommand() {}

    /// Returns when a signal came.
    ///
    /// @throws Failure when the service ended by itself
    static void await(StopSignal stop, CompletableFuture<Void> ended, String what) {
        await(stop, ended, what, () -> false);
    }

    /// The same, looking at the service meanwhile.
    ///
    /// @param look done twice a second; returns true when it is time to end
    static void await(StopSignal stop, CompletableFuture<Void> ended, String what, BooleanSupplier look) {
        while (!stop.asked() && !look.getAsBoolean()) {
            try {
                ended.get(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                throw Failure.failed(what + " has stopped by itself");
            } catch (TimeoutException e) {
                // It runs.
            } catch (InterruptedException e) {
                return;
            } catch (ExecutionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                throw Failure.failed(what + " broke: " + cause.getMessage(), e);
            }
        }
    }
}
