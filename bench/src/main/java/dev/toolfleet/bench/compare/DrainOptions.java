package dev.toolfleet.bench.compare;

import java.util.List;

/// Options of a comparison of drains.
///
/// @param arms what takes part
/// @param loads each is drained by each arm
/// @param rounds how often
/// @param calls that count
/// @param warmUp calls in front of them that do not
/// @param engines how they are set up
public record DrainOptions(List<Arm> arms, List<CallLoad> loads, int rounds, int calls, int warmUp,
        EngineOptions engines) {
    private static final int MOST_CALLS = 5_000_000;

    /// Checks the values.
    ///
    /// @throws IllegalArgumentException naming one
    public DrainOptions {
        arms = arms.stream().distinct().toList();
        loads = List.copyOf(loads);
        if (rounds < 1 || rounds > 100)
            throw new IllegalArgumentException("rounds is " + rounds + "; it must be 1 to 100");
        if (calls < 10 || calls > MOST_CALLS)
            throw new IllegalArgumentException("calls is " + calls + "; it must be 10 to " + MOST_CALLS);
        if (warmUp < 0 || warmUp > MOST_CALLS)
            throw new IllegalArgumentException("warm-up is " + warmUp + "; it must be 0 to " + MOST_CALLS);
    }

    /// Returns the options for an entrant of several processes: each has the warm-up of one.
    DrainOptions forProcesses(int count) {
        return new DrainOptions(arms, loads, rounds, calls, warmUp * count, engines);
    }

    int all() {
        return warmUp + calls;
    }

    /// The result with which the clock starts: a tenth of those that count are done.
    int from() {
        return warmUp + calls / 10;
    }

    /// The result with which the clock stops: a tenth of those that count is left, so that instances that are done do
    /// not leave the engine idle.
    int to() {
        return all() - calls / 10;
    }
}
