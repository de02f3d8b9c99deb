package dev.toolfleet.wire;

import java.util.List;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Hand-over of a started call by an earlier owner of its partition: the call ended after the partition had moved to
/// another worker. The heir, which holds the call's lane, publishes it. Only an owner writes results.
///
/// @param identity the call's identity
/// @param member the consumer group's member id of the process that ran the call, as in its [CallIntent]
/// @param epoch of that process's assignment, as in its [CallIntent]. A process that gets the partition back announces
///        the call anew; earlier hand-overs do not apply to that start
/// @param attempt the start of the handler, from 1, as in its [CallIntent]
/// @param result the outcome of the call; null when its handler never started, so that the heir may start it
/// @param pending the call that finishes later: with a pending result, and only then
/// @param error the error event that goes with an error result
/// @param agentEvents the call's events to agents; published with a result that is no error
/// @param agentInstances the instances that it spawned; published with a result that is no error
public record HandOver(String identity, String member, long epoch, int attempt, @Nullable ToolResult result,
        @Nullable PendingCall pending, @Nullable ToolErrorEvent error, @Nullable List<AgentEvent> agentEvents,
        @Nullable List<AgentInstance> agentInstances) {
    /// Makes the hand-over of a call without events to agents.
    public HandOver(String identity, String member, long epoch, int attempt, @Nullable ToolResult result,
            @Nullable PendingCall pending, @Nullable ToolErrorEvent error) {
        this(identity, member, epoch, attempt, result, pending, error, null, null);
    }

    /// Checks that the start is named, and that the other parts fit the result.
    public HandOver {
        requireNonNull(identity, "identity");
        requireNonNull(member, "member");
        ResultStatus status = result == null ? null : result.status();
        agentEvents = agentEvents == null || agentEvents.isEmpty() ? null : List.copyOf(agentEvents);
        agentInstances = agentInstances == null || agentInstances.isEmpty() ? null : List.copyOf(agentInstances);
        // Its heir could publish neither this result nor another one.
        if (status == ResultStatus.UNKNOWN)
            throw new IllegalArgumentException("'result.status' is none that this version knows");
        if ((pending != null) != (status == ResultStatus.PENDING)) {
            throw new IllegalArgumentException("a pending result and 'pending' come together");
        }
        if (error != null && status != ResultStatus.ERROR) {
            throw new IllegalArgumentException("'error' goes with an error result only");
        }
    }
}
