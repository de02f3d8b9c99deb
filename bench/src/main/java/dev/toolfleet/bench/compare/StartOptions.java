package dev.toolfleet.bench.compare;

import java.util.List;

/// Options of a look at starts.
///
/// @param arms what takes part
/// @param rounds how often each starts
/// @param engines how they are set up
public record StartOptions(List<Arm> arms, int rounds, EngineOptions engines) {
    /// Checks the values.
    ///
    /// @throws IllegalArgumentException naming one
    public StartOptions {
        arms = arms.stream().distinct().toList();
        if (rounds < 1 || rounds > 100)
            throw new IllegalArgumentException("rounds is " + rounds + "; it must be 1 to 100");
    }
}
