package dev.toolfleet.bundle;

/// Problem of a bundle.
///
/// @param position the place; line and column are 0 for a whole file
/// @param path the place inside the document; empty for the whole document or file
/// @param hint the way out; empty when the message is enough
public record BundleProblem(Severity severity, ProblemCode code, String message, SourcePosition position, String path,
        String hint) {
    /// Makes the bundle invalid.
    public static BundleProblem error(ProblemCode code, String message, SourcePosition position, String hint) {
        return new BundleProblem(Severity.ERROR, code, message, position, "", hint);
    }

    /// Leaves the bundle valid.
    public static BundleProblem notice(ProblemCode code, String message, SourcePosition position, String hint) {
        return new BundleProblem(Severity.NOTICE, code, message, position, "", hint);
    }

    /// The file, relative to the bundle's folder.
    public String file() {
        return position.file();
    }

    /// The line, from 1; 0 when unknown.
    public int line() {
        return position.line();
    }

    /// The column, from 1; 0 when unknown.
    public int column() {
        return position.column();
    }
}
