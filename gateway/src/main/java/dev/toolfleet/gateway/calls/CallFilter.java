package dev.toolfleet.gateway.calls;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.toolfleet.bundle.Glob;
import dev.toolfleet.wire.ResultStatus;
import org.jspecify.annotations.Nullable;

/// Selection of calls. What is null selects every call.
///
/// @param instance of this instance
/// @param agent of this agent
/// @param tool of tools that it selects
/// @param user made for this person
/// @param stage in this stage
/// @param open true for open calls only ([CallSummary#isOpen])
/// @param status with this final result
/// @param code with this error code, in upper or lower case
/// @param since accepted then or later
public record CallFilter(@Nullable String instance, @Nullable String agent, @Nullable Glob tool, @Nullable String user,
        @Nullable CallStage stage, boolean open, @Nullable ResultStatus status, @Nullable String code,
        @Nullable Instant since) {
    /// Selects every call.
    public static final CallFilter ALL = new CallFilter(null, null, null, null, null, false, null, null, null);
    /// Selects every open call.
    public static final CallFilter OPEN = new CallFilter(null, null, null, null, null, true, null, null, null);

    /// True if it selects the call.
    public boolean selects(CallSummary call) {
        return selectsState(call.stage(), call.status()) && (!open || call.isOpen())
                && (since == null || !call.acceptedAt().isBefore(since))
                && (instance == null || instance.equals(call.instanceKey()))
                && (agent == null || agent.equals(call.agentName())) && (user == null || user.equals(call.userId()))
                && (tool == null || tool.matches(call.tool())) && (code == null || code.equalsIgnoreCase(call.code()));
    }

    private boolean selectsState(CallStage of, @Nullable ResultStatus with) {
        return (stage == null || stage == of) && (status == null || status == with);
    }

    /// True if it can select a call that has not ended.
    @JsonIgnore
    public boolean isForUnended() {
        return stage != CallStage.ENDED && status == null && code == null;
    }

    /// True if it can select a call that has ended.
    @JsonIgnore
    public boolean isForEnded() {
        return !open && (stage == null || stage == CallStage.ENDED);
    }
}
