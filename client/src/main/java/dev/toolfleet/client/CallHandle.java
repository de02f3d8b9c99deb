package dev.toolfleet.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import dev.toolfleet.wire.ToolResult;

/// One call that was sent, or that is awaited after a restart. All stages complete, and all listeners run, on virtual
/// threads of the client, in the order in which the results stand on `tool.result`; they may block. A stage fails with
/// a [ToolFleetClientException] only.
public final class CallHandle {
    private final SerialExecutor serial;
    private final CompletableFuture<SentCall> sent = new CompletableFuture<>();
    private final CompletableFuture<ToolResult> first = new CompletableFuture<>();
    private final CompletableFuture<ToolResult> result = new CompletableFuture<>();
    // Touched by the serial executor's tasks alone.
    private final List<ToolResult> pendingResults = new ArrayList<>(1);
    private final List<Consumer<ToolResult>> pendingListeners = new ArrayList<>(1);

    CallHandle(Executor threads) {
        this.serial = new SerialExecutor(threads);
    }

    /// Where the call landed, once the broker has it; for an awaited call, once its first result says so.
    public CompletionStage<SentCall> sent() {
        return sent.minimalCompletionStage();
    }

    /// The first result: the final one, or a pending one that names the handle of what goes on.
    public CompletionStage<ToolResult> firstResult() {
        return first.minimalCompletionStage();
    }

    /// The final result, with status `ok` or `error`.
    public CompletionStage<ToolResult> result() {
        return result.minimalCompletionStage();
    }

    /// Tells `listener` every pending result, those that have come already too.
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
