package dev.toolfleet.gateway.calls;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Load of the fleet: its open calls, and the calls of the last hour by minute.
///
/// @param tools open calls by tool, the tool with the most first
/// @param instances the instances with the most open calls, the one with the most first
/// @param stages the numbers of open calls by stage
/// @param minutes the last hour, the earliest minute first; the last one is not over
/// @param missing partitions that do not count, since no owner answers
public record FleetLoad(List<ToolLoad> tools, List<InstanceLoad> instances, Map<CallStage, Long> stages,
        List<Minute> minutes, Set<Integer> missing) {
    /// The number of minutes.
    public static final int MINUTES = 60;

    /// Open calls of one tool.
    ///
    /// @param tool the name that models call
    /// @param stages their numbers by stage
    /// @param oldestAt the time at which the oldest was accepted
    /// @param oldest the id of the oldest
    public record ToolLoad(String tool, Map<CallStage, Long> stages, Instant oldestAt, CallId oldest) {
        /// Copies the numbers.
        public ToolLoad {
            stages = copy(stages);
        }

        /// Returns the number of open calls.
        public long open() {
            return sum(stages);
        }
    }

    /// Open calls of one instance.
    ///
    /// @param open their number
    /// @param oldestAt the time at which the oldest was accepted
    /// @param oldest the id of the oldest
    public record InstanceLoad(String instanceKey, long open, Instant oldestAt, CallId oldest) {}

    /// Calls of one minute, by the times at which the broker appended their records.
    ///
    /// @param start its beginning
    /// @param accepted calls that were accepted
    /// @param ended calls that got their final result
    /// @param failed those of them whose status is error
    public record Minute(Instant start, long accepted, long ended, long failed) {}

    /// Copies the lists.
    public FleetLoad {
        tools = List.copyOf(tools);
        instances = List.copyOf(instances);
        stages = copy(stages);
        minutes = List.copyOf(minutes);
        missing = Collections.unmodifiableSet(new TreeSet<>(missing));
    }

    /// Returns the number of open calls.
    public long open() {
        return sum(stages);
    }

    private static Map<CallStage, Long> copy(Map<CallStage, Long> stages) {
        Map<CallStage, Long> copy = new EnumMap<>(CallStage.class);
        copy.putAll(stages);
        return Collections.unmodifiableMap(copy);
    }

    private static long sum(Map<CallStage, Long> stages) {
        return stages.values().stream().mapToLong(Long::longValue).sum();
    }
}
