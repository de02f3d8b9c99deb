package dev.toolfleet.bench.memory;

/// Options of a run.
///
/// @param calls how many are made in all
public record MemoryOptions(int calls) {
    /// Number of looks at the heap.
    static final int SAMPLES = 10;

    /// Checks the value.
    ///
    /// @throws IllegalArgumentException naming it
    public MemoryOptions {
        if (calls < 1_000 * SAMPLES || calls > 100_000_000)
            throw new IllegalArgumentException("calls is " + calls + "; it must be 10000 to 100000000");
    }

    int each() {
        return calls / SAMPLES;
    }
}
