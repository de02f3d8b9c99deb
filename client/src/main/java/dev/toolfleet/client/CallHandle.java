package dev.toolfleet.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import dev.toolfleet.wire.ToolResult;

/// Handle of one call that was sent, or that is awaited after a restart.
///
/// **Contract.** A stage fails with a [ToolFleetClientException] only.
///
/// **Threads.** All stages complete, and all listeners run, on virtual threads of the client, in the order of the
/// results on `tool.result`; they may block.
public final class CallHandle {
    private final SerialExecutor serial;
    private final CompletableFuture<SentCall> sent = new CompletableFuture<>();
    private final CompletableFuture<ToolResult> first = new CompletableFuture<>();
    private final CompletableFuture<ToolResult> result = new CompletableFuture<>();
    // Only tasks of the serial executor access it.
    private final List<ToolResult> pendingResults = new ArrayList<>(1);
    private final List<Consumer<ToolResult>> pendingListeners = new ArrayList<>(1);

    CallHandle(Executor threads) {
        this.serial = new SerialExecutor(threads);
    }

    /// Returns the call's place, once the broker has it; for an awaited call, once its first result names it.
    public CompletionStage<SentCall> sent() {
        return sent.minimalCompletionStage();
    }

    /// Returns the first result: the final one, or a pending one with the handle of the work.
    public CompletionStage<ToolResult> firstResult() {
        return first.minimalCompletionStage();
    }

    /// The final result, with status `ok` or `error`.
    public CompletionStage<ToolResult> result() {
        return result.minimalCompletionStage();
    }

    /// Passes every pending result to `listener`, also earlier ones.
    public CallHandle onPending(Consumer<ToolResult> listener) {
        serial.post(() -> {
            pendingListeners.add(listener);
            pendingResults.forEach(listener);
        });
        return this;
    }

    void completeSent(SentCall where) {
        serial.post(() -> sent.complete(where));
    }

    void deliver(ToolResult arrived) {
        serial.post(() -> {
            if (arrived.isFinal()) {
                first.complete(arrived);
                result.complete(arrived);
                return;
            }
            pendingResults.add(arrived);
            first.complete(arrived);
            List.copyOf(pendingListeners).forEach(listener -> SerialExecutor.guarded(() -> listener.accept(arrived)));
        });
    }

    void fail(ToolFleetClientException problem) {
        serial.post(() -> {
            sent.completeExceptionally(problem);
            first.completeExceptionally(problem);
            result.completeExceptionally(problem);
        });
    }
}
