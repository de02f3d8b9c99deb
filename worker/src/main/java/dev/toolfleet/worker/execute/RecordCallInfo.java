package dev.toolfleet.worker.execute;

import dev.toolfleet.tool.CallInfo;
import dev.toolfleet.tool.ToolContext.Caller;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;

/// Origin of a call, read from its record.
public interface RecordCallInfo extends CallInfo {
    /// Returns the record as the caller sent it.
    ToolCall call();

    @Override
    default @Nullable String agentName() {
        return call().agentName();
    }

    @Override
    default String instanceKey() {
        return call().instanceKey();
    }

    @Override
    default @Nullable String turnId() {
        return call().turnId();
    }

    @Override
    default @Nullable String stepId() {
        return call().stepId();
    }

    @Override
    default @Nullable String traceId() {
        return call().traceId();
    }

    @Override
    default String toolCallId() {
        return call().id();
    }

    @Override
    default Caller caller() {
        return new Caller(call().userId(), call().channelId());
    }
}
