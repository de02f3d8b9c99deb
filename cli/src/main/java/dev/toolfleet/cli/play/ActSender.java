package dev.toolfleet.cli.play;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.client.Completions;
import dev.toolfleet.client.Decisions;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;

/// Sends what a script does beside calling to the fleet of these clients.
record ActSender(ToolFleetClient client, Completions completions, Decisions decisions) implements ScriptActs.Sender {
    /// A pending result and its record on `tool.pending` are of one transaction, but one may be seen before the other.
    private static final Duration AGAIN_AFTER = Duration.ofMillis(200);
    private static final int LOOKS = 25;

    @Override
    public CompletionStage<Void> complete(Completion completion) {
        try {
            return completions.send(completion);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Void> decide(Decision decision) {
        try {
            return decisions.send(decision);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Void> cancel(CancelCall cancel) {
        return client.cancel(cancel);
    }

    @Override
    public CompletionStage<PendingCall.Kind> awaited(String handle) {
        return awaited(handle, LOOKS);
    }

    private CompletionStage<PendingCall.Kind> awaited(String handle, int looks) {
        return client.handle(handle).thenCompose(state -> switch (state) {
            case HandleState.Open open -> CompletableFuture.completedFuture(open.call().kind());
            case HandleState.Ended _ -> failed("its call has ended before it could be decided about");
            case HandleState.Unknown _ when looks > 1 -> CompletableFuture.supplyAsync(() -> looks - 1, later())
                    .thenCompose(left -> awaited(handle, left));
            case HandleState.Unknown _ -> failed("the fleet does not know handle '" + handle + "' of its call");
        });
    }

    private static Executor later() {
        return CompletableFuture.delayedExecutor(AGAIN_AFTER.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static CompletionStage<PendingCall.Kind> failed(String why) {
        return CompletableFuture.failedFuture(new IllegalStateException(why));
    }
}
