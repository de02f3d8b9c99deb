package dev.toolfleet.worker.identity;

/// The calls of one tool that wait for their handles.
///
/// @param oldest when the oldest of them was appended, in epoch milliseconds
public record PendingTool(int count, long oldest) {
    PendingTool plus(PendingTool other) {
        return new PendingTool(count + other.count, Math.min(oldest, other.oldest));
    }
}
