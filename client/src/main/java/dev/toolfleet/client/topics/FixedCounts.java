package dev.toolfleet.client.topics;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;

/// Partition counts that must not change while a fleet lives. State is kept by partition number: state derived from
/// calls of group A, and the state of handles beside `tool.pending`. Pure.
///
/// @param groupA of the topics of group A
/// @param pending of `tool.pending`; empty when an earlier version recorded the counts
record FixedCounts(int groupA, OptionalInt pending) {
    /// Returns the counts of the present topics.
    static FixedCounts of(PartitionCounts present) {
        return new FixedCounts(present.groupA(), present.byTopic().containsKey(Topic.PENDING)
                ? OptionalInt.of(present.of(Topic.PENDING))
                : OptionalInt.empty());
    }

    /// Returns the same with those counts of `present` that an operator named by their value. A named count that
    /// differs from the topic's accepts nothing: `topics create --partitions 12` at every deployment must not accept
    /// 24.
    FixedCounts accepting(PartitionCounts present, OptionalInt askedGroupA, OptionalInt askedPending) {
        int callsNow = present.groupA();
        int pendingNow = present.of(Topic.PENDING);
        boolean acceptsPending = pending.isEmpty()
                || (askedPending.isPresent() && askedPending.getAsInt() == pendingNow);
        return new FixedCounts(askedGroupA.isPresent() && askedGroupA.getAsInt() == callsNow ? callsNow : groupA,
                acceptsPending ? OptionalInt.of(pendingNow) : pending);
    }

    /// Returns the differences from the recorded counts, one line each with the way out.
    List<String> problems(PartitionCounts present, Topics names) {
        List<String> problems = new ArrayList<>();
        if (present.groupA() != groupA) {
            problems.add(("topic '%s' and its group have %d partitions but were created with %d:"
                    + " instances have moved between partitions, and results would follow their calls into the wrong"
                    + " order; stop all agents, let every call end (pending ones too), stop the fleet, then accept the"
                    + " new count with %s --partitions %d").formatted(names.name(Topic.CALL), present.groupA(), groupA,
                            FleetTopics.CREATE_COMMAND, present.groupA()));
        }
        Integer now = present.byTopic().get(Topic.PENDING);
        if (now != null && pending.isPresent() && pending.getAsInt() != now)
            problems.add(pendingChanged(names.name(Topic.PENDING), now, pending.getAsInt()));
        return problems;
    }

    /// The sentence about a changed `tool.pending`.
    static String pendingChanged(String topic, int found, int recorded) {
        return ("topic '%s' has %d partitions but its handles were recorded with %d: the state of open handles lies by"
                + " partition number, and their calls would never end; keep the internal topics '…-completions-…' (a"
                + " reset tool deletes that state), and give '%s' its %d partitions back as docs/operations.md"
                + " describes under \"When partitions were added to tool.pending\"")
                .formatted(topic, found, recorded, topic, recorded);
    }
}
