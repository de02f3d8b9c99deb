package dev.toolfleet.worker.identity;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.wire.ToolRef;
import org.jspecify.annotations.Nullable;

/// How many calls of each tool a partition has that are pending. Of a tool one reference is kept, however many there
/// are. Not thread-safe.
final class ToolCounts {
    private static final class Count {
        private final ToolRef tool;
        private int calls;

        Count(ToolRef tool) {
            this.tool = tool;
        }
    }

    private final Map<ToolRef, Count> counts = new HashMap<>();

    /// One more.
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

    /// One less.
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
