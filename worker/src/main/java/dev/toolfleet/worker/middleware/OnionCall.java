package dev.toolfleet.worker.middleware;

import dev.toolfleet.middleware.ToolCallContext;
import dev.toolfleet.tool.ToolContext.Caller;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Call as its layers see and change it. Owned by the call's thread.
public final class OnionCall implements ToolCallContext {
    private final ToolCall call;
    private JsonNode args;
    private @Nullable ObjectNode metadata;

    /// Creates a call as the caller sent it.
    public OnionCall(ToolCall call) {
        this.call = call;
        this.args = call.args();
        this.metadata = call.metadata();
    }

    /// Returns the call as the layers left it.
    public ToolCall current() {
        return call.with(args, metadata);
    }

    @Override
    public @Nullable String agentName() {
        return call.agentName();
    }

    @Override
    public String instanceKey() {
        return call.instanceKey();
    }

    @Override
    public @Nullable String turnId() {
        return call.turnId();
    }

    @Override
    public @Nullable String stepId() {
        return call.stepId();
    }

    @Override
    public @Nullable Integer stepIndex() {
        return call.stepIndex();
    }

    @Override
    public @Nullable String traceId() {
        return call.traceId();
    }

    @Override
    public String toolName() {
        return call.name();
    }

    @Override
    public String toolCallId() {
        return call.id();
    }

    @Override
    public Caller caller() {
        return new Caller(call.userId(), call.channelId());
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
