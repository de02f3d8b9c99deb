package dev.toolfleet.worker.agents;

import java.time.InstantSource;
import java.util.function.Supplier;

/// What the calls of a worker share for their access to agents.
///
/// @param roster the agents and their instances
/// @param replies the desk at which handlers wait for answers
/// @param labels waits until every label is known that an instance has from others
/// @param folders of spawned instances
/// @param ids makes unguessable ids
record AgentCalls(AgentRoster roster, AgentReplies replies, LabelWait labels, SpawnFolders folders,
        InstantSource clock, Supplier<String> ids) {}
