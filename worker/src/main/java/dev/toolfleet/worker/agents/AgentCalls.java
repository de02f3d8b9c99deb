package dev.toolfleet.worker.agents;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.wire.ToolCall;

/// Lets the calls of a worker speak to agents.
///
/// @param roster which agents there are
/// @param replies where handlers wait for answers
/// @param folders where spawned instances work
/// @param ids unguessable ones
public record AgentCalls(AgentRoster roster, Replies replies, SpawnFolders folders, InstantSource clock,
        Supplier<String> ids) {
    /// What the handler of a call gets.
    ///
    /// @param workdir of the call
    /// @param deadline of the handler
    /// @param sends takes what is to be published with the call's result
    public AgentToolRuntime of(ToolCall call, Supplier<Path> workdir, Instant deadline, AgentSends sends) {
        return new CallAgents(this, call, workdir, deadline, sends);
    }
}
