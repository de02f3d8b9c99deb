package dev.toolfleet.catalog.assemble;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import org.jspecify.annotations.Nullable;

/// Rules for the newest step of an instance's agent, given the one before.
public final class StepHistory {
    private StepHistory() {}

    /// Returns the catalog of a step that starts. A step that is announced again replaces itself, wherever it stood.
    ///
    /// @param previous the newest step so far
    public static StepCatalog started(@Nullable StepCatalog previous, StepStarted step, AgentCatalog catalog,
            Instant now) {
        return new StepCatalog(step.instanceKey(), step.agentName(), step.turnId(), step.stepId(), step.stepIndex(),
                catalog.digest(), catalog.policyDigest(), catalog.bundle(), catalog.revision(), catalog.revisions(),
                now, false, recent(previous, step));
    }

    /// Returns the same step, ended; empty when it has ended already or is not the newest one. An earlier step needs no
    /// mark: the start of the next one ended it.
    public static Optional<StepCatalog> ended(@Nullable StepCatalog previous, StepEnded step, Instant now) {
        if (previous == null || previous.ended() || !is(previous.turnId(), previous.stepId(), step))
            return Optional.empty();
        return Optional.of(new StepCatalog(previous.instanceKey(), previous.agentName(), previous.turnId(),
                previous.stepId(), previous.stepIndex(), previous.digest(), previous.policyDigest(), previous.bundle(),
                previous.revision(), previous.revisions(), now, true, previous.recent()));
    }

    private static List<RecentStep> recent(@Nullable StepCatalog previous, StepStarted step) {
        if (previous == null)
            return List.of();
        List<RecentStep> recent = new ArrayList<>();
        recent.add(new RecentStep(previous.turnId(), previous.stepId(), previous.digest()));
        recent.addAll(previous.recent());
        recent.removeIf(earlier -> is(earlier.turnId(), earlier.stepId(), step));
        return recent.subList(0, Math.min(recent.size(), StepCatalog.RECENT));
    }

    private static boolean is(String turnId, String stepId, StepEvent step) {
        return turnId.equals(step.turnId()) && stepId.equals(step.stepId());
    }
}
