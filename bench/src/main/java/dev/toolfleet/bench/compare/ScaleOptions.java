package dev.toolfleet.bench.compare;

/// Options of a look at a second worker.
///
/// @param drain of one worker and of two, whose `arms` do not count
/// @param restart while which two workers are restarted, one after the other
/// @param maxInFlight of each worker
public record ScaleOptions(DrainOptions drain, RateOptions.Schedule restart, int maxInFlight) {
    /// Checks the values.
    ///
    /// @throws IllegalArgumentException naming one
    public ScaleOptions {
        if (maxInFlight < 1)
            throw new IllegalArgumentException("max-in-flight is " + maxInFlight + "; it must be at least 1");
    }
}
