package dev.toolfleet.cli.script;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which step starts when: the steps of one instance follow one another, and the next starts when every call of the one
/// before has a result (`pending` counts); different instances run side by side. Not thread-safe.
public final class StepSchedule {
    private final Map<String, Lane> lanes = new LinkedHashMap<>();

    private static final class Lane {
        private final Deque<ScriptStep> waiting = new ArrayDeque<>();
        private int unanswered;

        Optional<ScriptStep> next() {
            ScriptStep step = waiting.poll();
            unanswered = step == null ? 0 : step.calls().size();
            return Optional.ofNullable(step);
        }
    }

    /// Nothing has started yet.
    public StepSchedule(RunScript script) {
        script.steps().forEach(step -> lanes.computeIfAbsent(step.instanceKey(), key -> new Lane()).waiting.add(step));
    }

    /// The first step of every instance. Ask once.
    public List<ScriptStep> first() {
        return lanes.values().stream().map(Lane::next).flatMap(Optional::stream).toList();
    }

    /// Gives up an instance, since its running step will never have all its results.
    ///
    /// @return its steps that had not started
    public List<ScriptStep> abandon(String instanceKey) {
        Lane lane = lanes.get(instanceKey);
        if (lane == null)
            return List.of();
        List<ScriptStep> left = List.copyOf(lane.waiting);
        lane.waiting.clear();
        return left;
    }

    /// One more call of the instance's running step has its first result.
    ///
    /// @return the step that starts now
    public Optional<ScriptStep> answered(String instanceKey) {
        Lane lane = lanes.get(instanceKey);
        if (lane == null || lane.unanswered == 0)
            throw new IllegalStateException("no call of instance '" + instanceKey + "' waits for a result");
        lane.unanswered--;
        return lane.unanswered > 0 ? Optional.empty() : lane.next();
    }
}
