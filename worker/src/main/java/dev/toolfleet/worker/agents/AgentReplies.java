package dev.toolfleet.worker.agents;

import java.time.Duration;

import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import org.jspecify.annotations.Nullable;

/// Sends requests to agents and waits for their answers.
public interface AgentReplies {
    /// Returns the address for answers.
    AgentAddress address();

    /// Sends a request and waits for the event with its correlationId.
    ///
    /// @return null if none came in time
    @Nullable
    AgentEvent ask(AgentEvent request, Duration atMost) throws InterruptedException;
}
