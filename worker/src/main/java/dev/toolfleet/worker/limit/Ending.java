package dev.toolfleet.worker.limit;

/// What the end of a handler says of its tool's health.
public enum Ending {
    /// It works.
    SUCCEEDED,
    /// It does not.
    FAILED,
    /// Nothing: the caller was at fault, or it never came to its end.
    UNCOUNTED
}
