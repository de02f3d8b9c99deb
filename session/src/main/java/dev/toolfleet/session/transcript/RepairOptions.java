package dev.toolfleet.session.transcript;

import java.util.function.Predicate;

import static java.util.Objects.requireNonNull;

/// Choices of a repair.
///
/// @param seedCompat true to invent a call `[unknown-tool]` for a result without one, as in seed 003. A model takes
///        the invented call for its own and repeats it, so the default quarantines the result
/// @param knownTool the tools that exist; calls of others are kept and marked
public record RepairOptions(boolean seedCompat, Predicate<String> knownTool) {
    /// No invented calls; every tool is known.
    public static final RepairOptions DEFAULT = new RepairOptions(false, name -> true);

    /// Checks that nothing is absent.
    public RepairOptions {
        requireNonNull(knownTool, "knownTool");
    }
}
