package dev.toolfleet.client.topics;

import java.util.EnumMap;
import java.util.Map;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PartitionCountsTest {
    private static final Topics NAMES = new Topics("acme.");

    @Test
    void equalCountsInGroupAAreFineWhateverTheFreeTopicsHave() {
        Map<Topic, Integer> counts = counts(12);
        counts.put(Topic.ERROR, 3);

        PartitionCounts found = new PartitionCounts(counts);

        assertThat(found.problems(NAMES)).isEmpty();
        assertThat(found.groupA()).isEqualTo(12);
        assertThat(found.of(Topic.ERROR)).isEqualTo(3);
    }

    @Test
    void anUnequalCountNamesBothTopicsAndBothCounts() {
        Map<Topic, Integer> counts = counts(12);
        counts.put(Topic.RESULT, 6);

        assertThat(new PartitionCounts(counts).problems(NAMES)).singleElement().asString()
                .contains("'acme.tool.call' has 12", "'acme.tool.result' has 6").doesNotContain("\n");
    }

    @Test
    void aSingleTopicWithMorePartitionsIsRefused() {
        Map<Topic, Integer> counts = counts(12);
        counts.put(Topic.RESOURCE, 2);

        assertThat(new PartitionCounts(counts).problems(NAMES)).singleElement().asString()
                .contains("'acme.tool.resource' has 2 partitions but must have exactly 1");
    }

    private static Map<Topic, Integer> counts(int partitions) {
        Map<Topic, Integer> counts = new EnumMap<>(Topic.class);
        for (Topic topic : Topic.values())
            counts.put(topic, topic.group() == Topic.Group.SINGLE ? 1 : partitions);
        return counts;
    }
}
