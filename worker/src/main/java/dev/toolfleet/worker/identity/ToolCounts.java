package dev.toolfleet.worker.identity;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.wire.ToolRef;
import org.jspecify.annotations.Nullable;

/// Numbers of a partition's pending calls by tool. Keeps one reference to each tool. Not thread-safe.
final class ToolCounts {
    private static final class Count {
        private final ToolRef tool;
        private int calls;

        Count(ToolRef tool) {
            this.tool = tool;
        }
    }

    private final Map<ToolRef, Count> counts = new HashMap<>();

    /// Adds a call.
    ///
    /// @param tool null for none
    /// @return the reference that is kept
    @Nullable
    ToolRef add(@Nullable ToolRef tool) {
        if (tool == null)
            return null;
        Count count = counts.computeIfAbsent(tool, Count::new);
        count.calls++;
        return count.tool;
    }

    /// Removes a call.
    void remove(@Nullable ToolRef tool) {
        if (tool != null)
            counts.computeIfPresent(tool, (_, count) -> --count.calls == 0 ? null : count);
    }

    int of(ToolRef tool) {
        Count count = counts.get(tool);
        return count == null ? 0 : count.calls;
    }

    Set<ToolRef> all() {
        return Set.copyOf(counts.keySet());
    }
}
