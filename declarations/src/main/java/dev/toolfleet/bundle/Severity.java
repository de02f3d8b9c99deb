package dev.toolfleet.bundle;

/// Severity of a problem, worst first.
public enum Severity {
    /// The bundle is invalid and cannot be applied.
    ERROR,
    /// The bundle can be applied, but probably not as its author means it.
    WARNING,
    /// An improvement; the hint describes it.
    HINT,
    /// No problem: a part that the fleet does not use, and the reason.
    NOTICE
}
