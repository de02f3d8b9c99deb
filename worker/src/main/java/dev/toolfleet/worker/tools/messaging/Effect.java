package dev.toolfleet.worker.tools.messaging;

/// What it does to make a request twice.
public enum Effect {
    /// No more than making it once.
    REPEATABLE,
    /// Something twice, such as two messages.
    ONCE
}
