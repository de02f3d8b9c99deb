package dev.toolfleet.bundle;

/// Where something stands in a file. The file is relative to the bundle's folder, with `/`; line and column count from
/// 1, and 0 says unknown.
public record SourcePosition(String file, int line, int column) {
    /// The place of something that was not read from a file.
    public static final SourcePosition UNKNOWN = new SourcePosition("", 0, 0);

    /// A problem with the whole file.
    public static SourcePosition ofFile(String file) {
        return new SourcePosition(file, 0, 0);
    }
}
