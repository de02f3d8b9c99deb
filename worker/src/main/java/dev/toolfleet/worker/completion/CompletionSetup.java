package dev.toolfleet.worker.completion;

import java.time.InstantSource;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.telemetry.WorkerMeters;

/// Parts and names of the topology.
///
/// @param topics the fleet's topic names
/// @param worker this worker's name
/// @param handlePartitions of `tool.pending`
/// @param callPartitions of group A
/// @param modules inquiries to modules
/// @param meters counts
/// @param clock returns the time for deadlines and heartbeats
record CompletionSetup(Topics topics, String worker, int handlePartitions, int callPartitions,
        ModuleCalls modules, WorkerMeters meters, InstantSource clock) {
    String name(Topic topic) {
        return topics.name(topic);
    }
}
