package dev.toolfleet.session.window;

/// Use of a context window by a model's next request.
///
/// @param currentTokens the request's tokens
/// @param maxTokens the model's window
/// @param effectiveTokens the window without the reserve for the answer
/// @param usageRatio current by effective; more than 1 when the request does not fit
/// @param status the ratio's level
/// @param compactionNeeded true when the status is critical or exceeded
/// @param modelKnown false when the window is an assumed one
/// @param breakdown the current tokens by origin
public record WindowState(long currentTokens, int maxTokens, int effectiveTokens, double usageRatio, Status status,
        boolean compactionNeeded, boolean modelKnown, Breakdown breakdown) {
    /// Level of use, in rising order.
    public enum Status {
        /// Below all limits.
        SAFE,
        /// At or above the warning threshold.
        WARNING,
        /// At or above the critical threshold.
        CRITICAL,
        /// No room is left.
        EXCEEDED
    }
}
