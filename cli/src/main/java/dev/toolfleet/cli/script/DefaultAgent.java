package dev.toolfleet.cli.script;

import java.util.List;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.SwarmSpec;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.publishing.apply.LocalBundle;
import org.jspecify.annotations.Nullable;

/// Which agent makes a call that names none: `--agent`, else the Swarm's `entryAgent`, else the only Agent.
public sealed interface DefaultAgent {
    /// This one.
    record Named(String name) implements DefaultAgent {}

    /// None can be told.
    ///
    /// @param reason why, and what to do about it
    record Unknown(String reason) implements DefaultAgent {}

    /// Which agent of a bundle makes calls that name none.
    ///
    /// @param option value of `--agent`; null when it is absent
    /// @throws Failure (invalid) when the bundle has no such Agent
    static DefaultAgent of(LocalBundle bundle, @Nullable String option) {
        List<String> agents = bundle.agents();
        if (option != null && !agents.contains(option)) {
            throw Failure.invalid("--agent " + option + ": the bundle " + bundle.folder()
                    + " has no such Agent; it has " + (agents.isEmpty() ? "none" : String.join(", ", agents)));
        }
        List<String> entries = bundle.bundle().ofKind(Kinds.SWARM).stream()
                .map(swarm -> SwarmSpec.of(swarm.document()).entryAgent().name()).toList();
        return of(option, entries, agents);
    }

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
