package dev.toolfleet.bundle;

/// What a value in the place of a reference turned out to be.
public sealed interface ParsedRef permits Ref, ParsedRef.Malformed {
    /// Not a reference.
    ///
    /// @param reason a clause that says what is wrong and how to write it
    record Malformed(String reason) implements ParsedRef {}
}
