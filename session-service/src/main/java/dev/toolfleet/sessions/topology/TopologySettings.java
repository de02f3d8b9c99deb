package dev.toolfleet.sessions.topology;

import java.time.Duration;

import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.session.window.ModelWindow;
import dev.toolfleet.session.window.WindowConfig;
import dev.toolfleet.topic.Topics;

/// Settings of the topology.
///
/// @param topics the fleet's topic names
/// @param resources of the fleet's bundles, new and empty; only the topology applies records to it
/// @param messageWait the longest wait of a result for the message with its call
/// @param retention how long an untouched session stays
/// @param limits of the model's window, for agents without a ContextPolicy that declares them
/// @param window the model's window, for agents without a ContextPolicy that declares it
public record TopologySettings(Topics topics, ResourceTable resources, Duration messageWait, Duration retention,
        WindowConfig limits, ModelWindow window) {}
