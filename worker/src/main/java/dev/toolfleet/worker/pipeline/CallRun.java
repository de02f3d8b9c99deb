package dev.toolfleet.worker.pipeline;

import dev.toolfleet.wire.ToolSource;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.jspecify.annotations.Nullable;

/// One call on its way through the pipeline and what was learnt of it. Owned by the call's thread until the call has
/// its fate; the watcher of an abandoned handler only reads what was written before the handler started.
final class CallRun {
    private final IdentifiedCall call;
    private final long startedAt;
    private @Nullable RegisteredTool tool;
    private @Nullable ToolSource source;
    private @Nullable String catalogDigest;
    private @Nullable String policyDigest;
    private long handlerMillis;
    private boolean left;

    CallRun(IdentifiedCall call, long startedAt) {
        this.call = call;
        this.startedAt = startedAt;
    }

    IdentifiedCall call() {
        return call;
    }

    /// When it left its lane's queue, in epoch milliseconds.
    long startedAt() {
        return startedAt;
    }

    @Nullable
    RegisteredTool tool() {
        return tool;
    }

    void tool(RegisteredTool found) {
        tool = found;
    }

    @Nullable
    ToolSource source() {
        return source;
    }

    @Nullable
    String catalogDigest() {
        return catalogDigest;
    }

    @Nullable
    String policyDigest() {
        return policyDigest;
    }

    void offered(ToolSource by, @Nullable String digest, @Nullable String policy) {
        source = by;
        catalogDigest = digest;
        policyDigest = policy;
    }

    long handlerMillis() {
        return handlerMillis;
    }

    void handlerMillis(long millis) {
        handlerMillis = millis;
    }

    /// Whether the call is left to the next owner of its partition: nothing is published for it.
    boolean left() {
        return left;
    }

    void leave() {
        left = true;
    }
}
