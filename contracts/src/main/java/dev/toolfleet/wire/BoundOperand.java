package dev.toolfleet.wire;

import static java.util.Objects.requireNonNull;

/// A file to which an approval is bound: the call runs only while the file has this content.
///
/// @param name its name in the call's arguments
/// @param size in bytes
/// @param digest SHA-256 of the content
public record BoundOperand(String name, long size, String digest) {
    /// Checks that the file and its content are named.
    public BoundOperand {
        requireNonNull(name, "name");
        requireNonNull(digest, "digest");
    }
}
