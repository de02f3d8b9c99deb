package dev.toolfleet.wire;

import java.util.List;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// What an earlier owner of a partition says of a call that it had started and that ended after the partition had moved
/// to another worker. The heir, which holds the call's lane, publishes it: only an owner writes results.
///
/// @param identity the call's identity
/// @param member the consumer group's member id of the process that ran the call, as in its [CallIntent]
/// @param epoch of that process's assignment, as in its [CallIntent]: a process that gets the partition back announces the
///        call anew, and what was said before says nothing of that
/// @param attempt which start of the handler this was, from 1, as in its [CallIntent]
/// @param result how the call ended; null when its handler never started, so that the heir may start it
/// @param pending the call that finishes later: with a pending result, and only then
/// @param error the error event that goes with an error result
/// @param agentEvents what the call says to agents; published with a result that is no error
/// @param agentInstances the instances that it spawned; published with a result that is no error
public record HandOver(String identity, String member, long epoch, int attempt, @Nullable ToolResult result,
        @Nullable PendingCall pending, @Nullable ToolErrorEvent error, @Nullable List<AgentEvent> agentEvents,
        @Nullable List<AgentInstance> agentInstances) {
    /// What a call hands over that said nothing to agents.
    public HandOver(String identity, String member, long epoch, int attempt, @Nullable ToolResult result,
            @Nullable PendingCall pending, @Nullable ToolErrorEvent error) {
        this(identity, member, epoch, attempt, result, pending, error, null, null);
    }

    /// Checks that the record names the start it speaks of, and that what goes with the result fits it.
    public HandOver {
        requireNonNull(identity, "identity");
        requireNonNull(member, "member");
        ResultStatus status = result == null ? null : result.status();
        agentEvents = agentEvents == null || agentEvents.isEmpty() ? null : List.copyOf(agentEvents);
        agentInstances = agentInstances == null || agentInstances.isEmpty() ? null : List.copyOf(agentInstances);
        // Its heir could publish neither what it says nor another end.
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
