package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

/// Place for the answer to a `delegate`: a [Completion] for the handle, or an [AgentEvent] to the address. With
/// neither, no caller waits for it.
///
/// @param handle the requester's pending call: answered by a [Completion] on `tool.completion`
/// @param token that completion must carry it
/// @param agent with `instanceKey`, the address: answered by a `delegate_result` on `agent.event`
public record AgentReplyTo(@Nullable String handle, @Nullable String token, @Nullable String agent,
        @Nullable String instanceKey) {
    /// Checks that there is at most one place for the answer.
    public AgentReplyTo {
        if ((agent == null) != (instanceKey == null))
            throw new IllegalArgumentException("an address is 'agent' and 'instanceKey' together");
        if (handle != null && agent != null)
            throw new IllegalArgumentException("'replyTo' needs 'handle' or an address, and not both");
    }

    /// The answer completes a pending call.
    public static AgentReplyTo handle(String handle, String token) {
        return new AgentReplyTo(handle, token, null, null);
    }

    /// The answer is an event.
    public static AgentReplyTo address(AgentAddress address) {
        return new AgentReplyTo(null, null, address.agent(), address.instanceKey());
    }
}
