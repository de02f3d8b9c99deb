package dev.toolfleet.worker.assignment;

/// Calls, and what they weigh.
///
/// @param bytes of the records that they were read from or will be published as
public record Load(int calls, long bytes) {
    static final Load NOTHING = new Load(0, 0);

    /// Both together.
    public Load plus(Load other) {
        return new Load(calls + other.calls, bytes + other.bytes);
    }
}
