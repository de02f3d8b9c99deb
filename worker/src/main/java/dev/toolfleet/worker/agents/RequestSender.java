package dev.toolfleet.worker.agents;

import dev.toolfleet.wire.AgentEvent;

/// Sender of requests that handlers wait for.
@FunctionalInterface
public interface RequestSender {
    /// Sends a request soon, after every worker can know which labels go with it.
    ///
    /// @throws IllegalStateException if those cannot be written now; nothing was sent
    void send(AgentEvent request) throws InterruptedException;
}
