package dev.toolfleet.session.window;

/// Limits of a context window (seed 003, section 4.7).
///
/// @param warningThreshold share of the usable window from which its use is a warning
/// @param criticalThreshold share from which the transcript must be compacted
/// @param reserveTokens tokens that stay free for the model's answer
public record WindowConfig(double warningThreshold, double criticalThreshold, int reserveTokens) {
    /// The seed's limits: 0.7, 0.85 and 4,096 tokens.
    public static final WindowConfig DEFAULT = new WindowConfig(0.7, 0.85, 4096);

    /// Checks the order of the limits.
    ///
    /// @throws IllegalArgumentException naming the limit and its value
    public WindowConfig {
        if (!(warningThreshold > 0 && warningThreshold < 1))
            throw new IllegalArgumentException("warningThreshold must be between 0 and 1, got " + warningThreshold);
        if (!(criticalThreshold > warningThreshold && criticalThreshold < 1)) {
            throw new IllegalArgumentException(
                    "criticalThreshold must be more than warningThreshold (" + warningThreshold
                            + ") and less than 1, got " + criticalThreshold);
        }
        if (reserveTokens < 0)
            throw new IllegalArgumentException("reserveTokens must be 0 or more, got " + reserveTokens);
    }
}
