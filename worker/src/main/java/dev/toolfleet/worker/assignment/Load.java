package dev.toolfleet.worker.assignment;

/// Number of calls with their size.
///
/// @param bytes of the records from which they were read or as which they will be published
public record Load(int calls, long bytes) {
    static final Load NOTHING = new Load(0, 0);

    /// Returns the sum of both.
    public Load plus(Load other) {
        return new Load(calls + other.calls, bytes + other.bytes);
    }
}
