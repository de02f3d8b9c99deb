package dev.toolfleet.sessions.topology;

import java.time.Duration;

import dev.toolfleet.session.window.ModelWindow;
import dev.toolfleet.session.window.WindowGuard;
import dev.toolfleet.topic.Topics;

/// Settings of the topology.
///
/// @param topics the fleet's topic names
/// @param messageWait the longest wait of a result for the message with its call
/// @param retention how long an untouched session stays
/// @param guard evaluates the use of the model's window
/// @param window the model's window
public record TopologySettings(Topics topics, Duration messageWait, Duration retention, WindowGuard guard,
        ModelWindow window) {}
