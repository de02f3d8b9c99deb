package dev.toolfleet.client.topics;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalInt;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FixedCountsTest {
    private static final Topics NAMES = new Topics("acme.");
    private static final FixedCounts RECORDED = new FixedCounts(12, OptionalInt.of(4));

    private static PartitionCounts present(int groupA, int pending) {
        Map<Topic, Integer> counts = new EnumMap<>(Topic.class);
        for (Topic topic : Topic.values())
            counts.put(topic, topic.group() == Topic.Group.SINGLE ? 1 : groupA);
        counts.put(Topic.PENDING, pending);
        return new PartitionCounts(counts);
    }

    @Test
    void theRecordedCountsAreFine() {
        assertThat(RECORDED.problems(present(12, 4), NAMES)).isEmpty();
        assertThat(FixedCounts.of(present(12, 4))).isEqualTo(RECORDED);
    }

    @Test
    void aPendingTopicThatGrewIsNamedWithBothCountsAndTheWayOut() {
        assertThat(RECORDED.problems(present(12, 8), NAMES)).singleElement().asString()
                .contains("'acme.tool.pending' has 8 partitions", "recorded with 4", "docs/operations.md",
                        "keep the internal topics")
                .doesNotContain("\n", "StreamsResetter");
    }

    @Test
    void aGroupThatGrewIsStillNamed() {
        assertThat(RECORDED.problems(present(24, 4), NAMES)).singleElement().asString().contains("have 24 partitions",
                "created with 12", "--partitions 24");
    }

    @Test
    void countsOfAnEarlierVersionSayNothingOfPendingCallsAndAreCompleted() {
        FixedCounts earlier = new FixedCounts(12, OptionalInt.empty());

        assertThat(earlier.problems(present(12, 8), NAMES)).isEmpty();
        assertThat(earlier.accepting(present(12, 4), OptionalInt.empty(), OptionalInt.empty())).isEqualTo(RECORDED);
    }

    @Test
    void onlyACountThatIsAskedForByItsValueIsAccepted() {
        PartitionCounts grown = present(24, 8);

        assertThat(RECORDED.accepting(grown, OptionalInt.of(12), OptionalInt.of(4))).isEqualTo(RECORDED);
        assertThat(RECORDED.accepting(grown, OptionalInt.empty(), OptionalInt.empty())).isEqualTo(RECORDED);
        assertThat(RECORDED.accepting(grown, OptionalInt.of(24), OptionalInt.of(8)))
                .isEqualTo(new FixedCounts(24, OptionalInt.of(8)));
    }
}
