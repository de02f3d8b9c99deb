package dev.toolfleet.worker.agents;

import dev.toolfleet.wire.AgentEvent;

/// Messages of calls for tests of other packages.
public final class TestSends {
    private TestSends() {}

    /// Adds events, as a handler does.
    public static void add(AgentSends sends, AgentEvent... events) {
        for (AgentEvent event : events)
            sends.add(event);
    }
}
