package dev.toolfleet.worker.identity;

/// Pending calls of one tool.
///
/// @param oldest append time of the oldest of them, in epoch milliseconds
public record PendingTool(int count, long oldest) {
    PendingTool plus(PendingTool other) {
        return new PendingTool(count + other.count, Math.min(oldest, other.oldest));
    }
}
