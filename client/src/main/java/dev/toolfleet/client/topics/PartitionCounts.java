package dev.toolfleet.client.topics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;

/// Partition counts of the fleet's topics. Pure; [FleetTopics] queries the broker.
///
/// @param byTopic the count of each queried topic
public record PartitionCounts(Map<Topic, Integer> byTopic) {
    /// Keeps its own copy.
    public PartitionCounts {
        byTopic = Map.copyOf(byTopic);
    }

    /// Returns the common count of the topics of group A.
    ///
    /// @throws IllegalStateException when no topic of group A is among them
    public int groupA() {
        return ordered().stream().filter(topic -> topic.group() == Topic.Group.A).findFirst().map(byTopic::get)
                .orElseThrow(() -> new IllegalStateException("no topic of group A is among the counts"));
    }

    /// Returns the count of `topic`.
    ///
    /// @throws IllegalArgumentException when that topic is not among them
    public int of(Topic topic) {
        Integer count = byTopic.get(topic);
        if (count == null)
            throw new IllegalArgumentException(topic + " is not among the counts");
        return count;
    }

    /// Returns the problems of these counts for a fleet, one line each; empty when there are none.
    List<String> problems(Topics names) {
        List<String> problems = new ArrayList<>();
        Topic first = null;
        for (Topic topic : ordered()) {
            switch (topic.group()) {
                case A -> {
                    if (first == null)
                        first = topic;
                    else if (of(topic) != of(first))
                        problems.add(
                                ("topic '%s' has %d partitions but '%s' has %d; records follow the partition number"
                                        + " of their call, so both need the same count: create them anew, or add partitions to"
                                        + " the smaller one while the fleet is stopped and all calls have ended")
                                        .formatted(
                                                names.name(first), of(first), names.name(topic), of(topic)));
                }
                case SINGLE -> {
                    if (of(topic) != 1)
                        problems.add("topic '%s' has %d partitions but must have exactly 1: delete it and run %s"
                                .formatted(names.name(topic), of(topic), FleetTopics.CREATE_COMMAND));
                }
                case FREE -> {
                }
            }
        }
        return problems;
    }

    private List<Topic> ordered() {
        return List.copyOf(new TreeMap<>(byTopic).keySet());
    }
}
