package dev.toolfleet.bundle;

/// Reach of a host process: the calls that share it (`spec.isolation` of a Tool).
public enum HostIsolation {
    /// All Tools of a bundle in one language share the process.
    BUNDLE,
    /// The Tool has a process of its own.
    TOOL,
    /// Each call has a process of its own, which costs its start.
    CALL
}
