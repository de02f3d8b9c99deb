package dev.toolfleet.worker.commit;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/// Committed offsets of a group.
///
/// @param calls of `tool.call`, by partition; one without a committed offset is missing
/// @param resumed the same of `tool.call.resumed`
public record CommittedPositions(Map<Integer, DoneOffsets> calls, Map<Integer, DoneOffsets> resumed) {
    /// Copies the maps.
    public CommittedPositions {
        calls = Map.copyOf(calls);
        resumed = Map.copyOf(resumed);
    }

    /// Creates offsets of calls alone.
    public static CommittedPositions ofCalls(Map<Integer, DoneOffsets> calls) {
        return new CommittedPositions(calls, Map.of());
    }

    /// Returns the finished offsets of a partition's calls.
    @Nullable
    DoneOffsets calls(int partition) {
        return calls.get(partition);
    }

    /// Returns the finished offsets of a partition's resumed calls.
    @Nullable
    DoneOffsets resumed(int partition) {
        return resumed.get(partition);
    }
}
