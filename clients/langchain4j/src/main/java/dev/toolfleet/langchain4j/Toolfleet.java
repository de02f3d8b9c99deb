package dev.toolfleet.langchain4j;

import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.client.turn.AgentTurns;
import dev.toolfleet.client.turn.TurnFleet;

/// Entry point for LangChain4j.
public final class Toolfleet {
    private Toolfleet() {}

    /// The tools of an agent, over a client of the fleet's broker. The client stays the caller's to close.
    ///
    /// @param agentName an agent that one of the fleet's bundles declares
    public static FleetToolProvider tools(ToolFleetClient client, String agentName) {
        return tools(TurnFleet.over(client), agentName);
    }

    /// The tools of an agent, over another way to the fleet.
    public static FleetToolProvider tools(TurnFleet fleet, String agentName) {
        return new FleetToolProvider(AgentTurns.of(fleet, agentName), agentName, FleetToolProvider::named);
    }
}
