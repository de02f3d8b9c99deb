package dev.toolfleet.cli.script;

import java.util.List;

import org.jspecify.annotations.Nullable;

/// Which agent makes a call that names none: `--agent`, else the Swarm's `entryAgent`, else the only Agent.
public sealed interface DefaultAgent {
    /// This one.
    record Named(String name) implements DefaultAgent {}

    /// None can be told.
    ///
    /// @param reason why, and what to do about it
    record Unknown(String reason) implements DefaultAgent {}

    /// The default of a bundle.
    ///
    /// @param option value of `--agent`; null when it is absent
    /// @param entryAgents the `entryAgent` of each Swarm
    /// @param agents the bundle's Agents
    static DefaultAgent of(@Nullable String option, List<String> entryAgents, List<String> agents) {
        if (option != null)
            return new Named(option);
        List<String> entries = entryAgents.stream().distinct().toList();
        if (entries.size() == 1)
            return new Named(entries.getFirst());
        if (entries.isEmpty() && agents.size() == 1)
            return new Named(agents.getFirst());
        if (agents.isEmpty())
            return new Unknown("the bundle has no Agent; add one, or name an agent with --agent");
        return new Unknown((entries.isEmpty()
                ? "the bundle has no Swarm and " + agents.size() + " Agents"
                : "the bundle's Swarms have different entry agents") + "; choose one of " + String.join(", ", agents)
                + " with --agent, or name it in the call as agentName");
    }
}
