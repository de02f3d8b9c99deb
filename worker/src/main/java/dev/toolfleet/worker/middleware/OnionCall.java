package dev.toolfleet.worker.middleware;

import dev.toolfleet.middleware.ToolCallContext;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.execute.RecordCallInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Call as its layers see and change it. Owned by the call's thread.
public final class OnionCall implements ToolCallContext, RecordCallInfo {
    private final ToolCall call;
    private JsonNode args;
    private @Nullable ObjectNode metadata;

    /// Creates a call as the caller sent it.
    public OnionCall(ToolCall call) {
        this.call = call;
        this.args = call.args();
        this.metadata = call.metadata();
    }

    @Override
    public ToolCall call() {
        return call;
    }

    /// Returns the call as the layers left it.
    public ToolCall current() {
        return call.with(args, metadata);
    }

    @Override
    public @Nullable Integer stepIndex() {
        return call.stepIndex();
    }

    @Override
    public String toolName() {
        return call.name();
    }

    @Override
    public JsonNode args() {
        return args;
    }

    @Override
    public void args(JsonNode newArgs) {
        this.args = requireNonNull(newArgs, "args");
    }

    @Override
    public ObjectNode metadata() {
        ObjectNode notes = metadata;
        if (notes == null) {
            notes = JsonNodeFactory.instance.objectNode();
            metadata = notes;
        }
        return notes;
    }
}
