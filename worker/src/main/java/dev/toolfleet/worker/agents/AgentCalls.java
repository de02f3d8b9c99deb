package dev.toolfleet.worker.agents;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.wire.ToolCall;

/// Access to agents for the calls of a worker.
///
/// @param roster the agents and their instances
/// @param replies the desk at which handlers wait for answers
/// @param folders of spawned instances
/// @param ids makes unguessable ids
public record AgentCalls(AgentRoster roster, AgentReplies replies, SpawnFolders folders, InstantSource clock,
        Supplier<String> ids) {
    /// Returns the agent access of a call's handler.
    ///
    /// @param workdir of the call
    /// @param deadline of the handler
    /// @param sends collects the events to publish with the call's result
    public AgentToolRuntime of(ToolCall call, Supplier<Path> workdir, Instant deadline, AgentSends sends) {
        return new CallAgents(this, call, workdir, deadline, sends);
    }
}
