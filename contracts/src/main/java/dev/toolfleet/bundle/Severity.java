package dev.toolfleet.bundle;

/// How much a problem matters, worst first.
public enum Severity {
    /// The bundle is invalid: nothing of it is applied.
    ERROR,
    /// It is applied, but probably does not do what its author means.
    WARNING,
    /// It could be better, and the hint says how.
    HINT,
    /// Nothing is wrong: this is what the fleet leaves alone, and why.
    NOTICE
}
