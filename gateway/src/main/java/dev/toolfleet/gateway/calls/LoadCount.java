package dev.toolfleet.gateway.calls;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.gateway.calls.FleetLoad.InstanceLoad;
import dev.toolfleet.gateway.calls.FleetLoad.Minute;
import dev.toolfleet.gateway.calls.FleetLoad.ToolLoad;

/// Count of open calls and of minutes, from which a [FleetLoad] is made. For one thread.
public final class LoadCount {
    private final Map<String, Open> tools = new HashMap<>();
    private final Map<String, Open> instances = new HashMap<>();
    private final SortedMap<Instant, Minute> minutes = new TreeMap<>();

    /// Numbers of some open calls, and the oldest of them.
    private static final class Open {
        private final Map<CallStage, Long> stages = new EnumMap<>(CallStage.class);
        private Instant oldestAt = Instant.MAX;
        private CallId oldest = new CallId(0, 0);

        void add(CallStage stage, long count) {
            stages.merge(stage, count, Long::sum);
        }

        void add(Instant at, CallId id) {
            if (at.isBefore(oldestAt) || (at.equals(oldestAt) && id.compareTo(oldest) < 0)) {
                oldestAt = at;
                oldest = id;
            }
        }

        long count() {
            return stages.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /// Adds a call, if it is open.
    public void add(CallSummary call) {
        if (!call.isOpen())
            return;
        for (Open open : List.of(of(tools, call.tool()), of(instances, call.instanceKey()))) {
            open.add(call.stage(), 1);
            open.add(call.acceptedAt(), call.id());
        }
    }

    private static Open of(Map<String, Open> all, String name) {
        return all.computeIfAbsent(name, _ -> new Open());
    }

    /// Adds the calls of a minute.
    public void add(Minute minute) {
        minutes.merge(minute.start(), minute, (one, other) -> new Minute(one.start(), one.accepted() + other.accepted(),
                one.ended() + other.ended(), one.failed() + other.failed()));
    }

    /// Adds the minutes of the last hour, without calls.
    public void addHour(Instant now) {
        Instant last = now.truncatedTo(ChronoUnit.MINUTES);
        for (int i = 0; i < FleetLoad.MINUTES; i++)
            add(new Minute(last.minus(i, ChronoUnit.MINUTES), 0, 0, 0));
    }

    /// Adds the load of other partitions.
    public void add(FleetLoad load) {
        for (ToolLoad tool : load.tools()) {
            Open open = of(tools, tool.tool());
            tool.stages().forEach(open::add);
            open.add(tool.oldestAt(), tool.oldest());
        }
        for (InstanceLoad instance : load.instances()) {
            Open open = of(instances, instance.instanceKey());
            // Instances are counted without their stages.
            open.add(CallStage.ACCEPTED, instance.open());
            open.add(instance.oldestAt(), instance.oldest());
        }
        load.minutes().forEach(this::add);
    }

    /// Returns the load.
    ///
    /// @param mostInstances the largest number of instances
    /// @param missing partitions that could not be read
    public FleetLoad load(int mostInstances, Set<Integer> missing) {
        Map<CallStage, Long> stages = new EnumMap<>(CallStage.class);
        tools.values().forEach(open -> open.stages.forEach((stage, count) -> stages.merge(stage, count, Long::sum)));
        List<ToolLoad> byTool = tools.entrySet().stream()
                .map(each -> new ToolLoad(each.getKey(), each.getValue().stages, each.getValue().oldestAt,
                        each.getValue().oldest))
                .sorted(Comparator.comparingLong(ToolLoad::open).reversed().thenComparing(ToolLoad::tool)).toList();
        List<InstanceLoad> byInstance = instances.entrySet().stream()
                .map(each -> new InstanceLoad(each.getKey(), each.getValue().count(), each.getValue().oldestAt,
                        each.getValue().oldest))
                .sorted(Comparator.comparingLong(InstanceLoad::open).reversed()
                        .thenComparing(InstanceLoad::instanceKey))
                .limit(mostInstances).toList();
        List<Minute> hour = minutes.values().stream().skip(Math.max(0, minutes.size() - FleetLoad.MINUTES)).toList();
        return new FleetLoad(byTool, byInstance, stages, hour, missing);
    }
}
