package dev.toolfleet.worker.agents;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentInstance;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;

/// Rules for messages between agents (`docs/agents.md`).
///
/// **Contract.** Agents of one Swarm may address each other, in one conversation unless the Swarm has `crossInstance`.
/// A spawned instance may address only instances above it and below it. An agent must not wait for an agent that waits
/// for it. A refusal is a [ToolException] with advice.
record AgentMessageRules(AgentRoster roster) {
    /// Most calls that wait for each other in a row.
    static final int MAX_CALLERS = 32;
    private static final int NAMED = 20;

    /// Checks that the caller may call the agent.
    void checkAgent(AgentAddress caller, String target) {
        if (!roster.declares(target)) {
            throw new ToolException("E_AGENT_NOT_FOUND", "No agent '" + target + "' is declared in this fleet.")
                    .suggestion(callable(caller.agent()));
        }
        if (!target.equals(caller.agent()) && !roster.colleagues(caller.agent()).contains(target)) {
            throw new ToolException("E_AGENT_NOT_CALLABLE",
                    "Agent '" + target + "' is in no Swarm with '" + caller.agent() + "'.")
                    .suggestion(callable(caller.agent()) + " Its author can list both in one Swarm.");
        }
    }

    private String callable(String self) {
        List<String> others = roster.colleagues(self).stream().filter(name -> !name.equals(self)).toList();
        return others.isEmpty()
                ? "There is no agent that you may call; do the work yourself or tell the user."
                : "You may call " + others.stream().limit(NAMED).collect(Collectors.joining(", ")) + ".";
    }

    /// Checks that the caller may address the instance. Keys of conversations, such as those of chats, are easy to
    /// guess. Otherwise: a model reaches another conversation by naming it.
    ///
    /// @param call names the caller's user and channel
    void checkInstance(ToolCall call, AgentAddress caller, AgentAddress target) {
        AgentInstance instance = roster.find(target);
        if (instance == null || instance.owner() == null) {
            checkConversation(call, caller, target, instance);
            return;
        }
        if (!roster.instances().ownersOf(target).contains(caller)
                && !roster.instances().ownersOf(caller).contains(target)) {
            throw new ToolException("E_AGENT_NOT_OWNED", "The instance " + target + " was spawned by another one, and "
                    + "answers only that one, those above it, and its own.")
                    .suggestion("Spawn an instance of your own, or leave instanceKey out.");
        }
    }

    private void checkConversation(ToolCall call, AgentAddress caller, AgentAddress target,
            @Nullable AgentInstance instance) {
        if (target.instanceKey().equals(caller.instanceKey()) || roster.instances().ownersOf(caller).stream()
                .anyMatch(owner -> owner.instanceKey().equals(target.instanceKey())))
            return;
        if (!roster.mayCross(caller.agent(), target.agent()))
            throw elsewhere("The instance " + target + " is in another conversation, and was not spawned by this one.");
        if (instance != null && isOfAnotherUser(call, instance))
            throw elsewhere("The instance " + target + " is in the conversation of another user or channel.");
    }

    /// True if the instance belongs to another user. Where a user is not known, channels count.
    private static boolean isOfAnotherUser(ToolCall call, AgentInstance instance) {
        if (call.userId() != null && instance.userId() != null)
            return !call.userId().equals(instance.userId());
        return call.channelId() != null && instance.channelId() != null
                && !call.channelId().equals(instance.channelId());
    }

    private static ToolException elsewhere(String message) {
        return new ToolException("E_AGENT_OTHER_CONVERSATION", message)
                .suggestion("Leave instanceKey out for the agent in this conversation, or spawn an instance of it.");
    }

    /// Returns the agents that wait, if the caller waits for the target too.
    ///
    /// @param waiting the agents that wait for the caller, the first first
    /// @return these and the caller
    static List<AgentAddress> waiting(List<AgentAddress> waiting, AgentAddress caller, AgentAddress target) {
        List<AgentAddress> all = new ArrayList<>(waiting);
        all.add(caller);
        int from = all.indexOf(target);
        if (from >= 0) {
            String circle = all.subList(from, all.size()).stream().map(AgentAddress::toString)
                    .collect(Collectors.joining(" -> "));
            throw new ToolException("E_AGENT_CYCLE", "The request would never be answered, since " + target
                    + " waits for this turn: " + circle + " -> " + target + ".")
                    .suggestion("Do the work yourself, or answer with what you have; send gives an agent a message "
                            + "without waiting.");
        }
        if (all.size() > MAX_CALLERS) {
            throw new ToolException("E_AGENT_CYCLE", "Already " + waiting.size()
                    + " agents wait for each other in a row, which is the most.")
                    .suggestion("Do the work yourself and answer.");
        }
        return all;
    }

    /// Returns the error for a caller that cannot be answered.
    static ToolException unknownCaller() {
        return new ToolException("E_AGENT_CALLER_UNKNOWN", "The call names no agent, so its caller is not known.")
                .suggestion("The agent runtime has to send agentName with the call.");
    }
}
