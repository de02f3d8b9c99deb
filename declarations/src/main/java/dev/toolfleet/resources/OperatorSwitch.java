package dev.toolfleet.resources;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolSource;
import tools.jackson.databind.node.ObjectNode;

/// Writes of the operator's switch to `tool.resource`: all denials, as the next revision of [OperatorDenial#BUNDLE].
/// Ended denials are removed; those that this version cannot read stay until they are lifted. As with bundles, the
/// table must be read after the writer's `initTransactions`.
public final class OperatorSwitch {
    private OperatorSwitch() {}

    /// Adds a denial; it replaces one with the same pattern.
    public static RevisionPlan deny(OperatorDenial denial, ResourceTable current, Instant now) {
        SortedMap<String, ObjectNode> next = standing(current, now);
        next.put(denial.name(), denial.json());
        return plan(next, current);
    }

    /// Removes denials.
    ///
    /// @param names patterns, as given to [#deny]
    public static RevisionPlan lift(List<String> names, ResourceTable current, Instant now) {
        SortedMap<String, ObjectNode> next = standing(current, now);
        for (String name : names)
            next.remove(name);
        return plan(next, current);
    }

    /// Returns the patterns of all denials, unreadable ones too.
    public static List<String> names(ResourceTable current, Instant now) {
        return List.copyOf(standing(current, now).keySet());
    }

    private static SortedMap<String, ObjectNode> standing(ResourceTable current, Instant now) {
        SortedMap<String, ObjectNode> standing = new TreeMap<>();
        for (ResourceRecord record : current.newest(OperatorDenial.BUNDLE).values()) {
            if (!hasEnded(record.resource(), now))
                standing.put(ResourceKey.name(record), record.resource());
        }
        return standing;
    }

    private static boolean hasEnded(ObjectNode resource, Instant now) {
        try {
            return !OperatorDenial.of(resource).isLive(now);
        } catch (InvalidResourceException e) {
            return false;
        }
    }

    private static RevisionPlan plan(SortedMap<String, ObjectNode> resources, ResourceTable current) {
        return RevisionPlan.of(OperatorDenial.BUNDLE, ToolSource.OPERATOR, resources.values().stream()
                .map(resource -> new RevisionPlan.Declared(resource, Map.of())).toList(), current);
    }
}
