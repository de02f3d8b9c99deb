package dev.toolfleet.worker.tools.messaging;

/// Effect of making a request twice.
public enum RepeatEffect {
    /// No more than making it once.
    REPEATABLE,
    /// Something twice, such as two messages.
    ONCE
}
