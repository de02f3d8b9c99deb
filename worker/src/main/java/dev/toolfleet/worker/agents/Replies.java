package dev.toolfleet.worker.agents;

import java.time.Duration;

import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import org.jspecify.annotations.Nullable;

/// Asks agents and waits for what they say.
public interface Replies {
    /// Where answers are to be sent.
    AgentAddress address();

    /// Sends a request and waits for the event with its correlationId.
    ///
    /// @return null when none came in time
    @Nullable
    AgentEvent ask(AgentEvent request, Duration atMost) throws InterruptedException;
}
