package dev.toolfleet.bundle;

/// Position in a file. The file is relative to the bundle's folder, with `/`; line and column count from 1, and 0 means
/// unknown.
public record SourcePosition(String file, int line, int column) {
    /// The position of a resource without a file.
    public static final SourcePosition UNKNOWN = new SourcePosition("", 0, 0);

    /// Makes the position of a whole file.
    public static SourcePosition ofFile(String file) {
        return new SourcePosition(file, 0, 0);
    }
}
