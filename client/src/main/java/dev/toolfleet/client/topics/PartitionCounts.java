package dev.toolfleet.client.topics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;

/// How many partitions the fleet's topics have. Pure; [FleetTopics] asks the broker.
///
/// @param byTopic the count of each topic that was asked for
public record PartitionCounts(Map<Topic, Integer> byTopic) {
    /// Keeps its own copy.
    public PartitionCounts {
        byTopic = Map.copyOf(byTopic);
    }

    /// The one count of the topics of group A.
    ///
    /// @throws IllegalStateException when no topic of group A was asked for
    public int groupA() {
        return ordered().stream().filter(topic -> topic.group() == Topic.Group.A).findFirst().map(byTopic::get)
                .orElseThrow(() -> new IllegalStateException("no topic of group A was asked for"));
    }

    /// The count of `topic`.
    ///
    /// @throws IllegalArgumentException when that topic was not asked for
    public int of(Topic topic) {
        Integer count = byTopic.get(topic);
        if (count == null)
            throw new IllegalArgumentException(topic + " was not asked for");
        return count;
    }

    /// What keeps a fleet from working on these counts, one line each; empty when nothing does.
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
