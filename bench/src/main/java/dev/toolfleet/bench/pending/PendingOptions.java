package dev.toolfleet.bench.pending;

/// Options of a run.
///
/// @param handles how many calls are pending at a time
public record PendingOptions(int handles) {
    /// Checks the value.
    ///
    /// @throws IllegalArgumentException naming it
    public PendingOptions {
        if (handles < 100 || handles > 10_000_000)
            throw new IllegalArgumentException("handles is " + handles + "; it must be 100 to 10000000");
    }
}
