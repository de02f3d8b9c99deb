package dev.toolfleet.bundle;

/// Result of reading a reference.
public sealed interface ParsedRef permits Ref, ParsedRef.Malformed {
    /// Not a reference.
    ///
    /// @param reason a clause with the problem and the right form
    record Malformed(String reason) implements ParsedRef {}
}
