package dev.toolfleet.client.topics;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class TopicProblemsTest {
    @ParameterizedTest
    @EnumSource(Topic.class)
    void whatTheFleetCreatesHasNoProblem(Topic topic) {
        assertThat(of(topic).ofSettings(topic.config())).isEmpty();
    }

    @Test
    void moreThanIsNeededIsNoProblemAndLessIs() {
        Map<String, String> settings = new HashMap<>(Topic.PENDING.config());
        settings.put("max.message.bytes", "99000000");
        settings.put("retention.ms", "1");
        assertThat(of(Topic.PENDING).ofSettings(settings)).isEmpty();

        settings.put("min.compaction.lag.ms", "0");
        assertThat(of(Topic.PENDING).ofSettings(settings)).singleElement().asString()
                .contains("'x.tool.pending' has min.compaction.lag.ms=0 and needs 604800000")
                .contains("`kafka-configs.sh --bootstrap-server b:9092 --alter --topic x.tool.pending"
                        + " --add-config min.compaction.lag.ms=604800000`");
    }

    @Test
    void bothCleanUpsAtOnceAreRefused() {
        Map<String, String> settings = new HashMap<>(Topic.JOURNAL.config());
        settings.put("cleanup.policy", "compact,delete");

        assertThat(of(Topic.JOURNAL).ofSettings(settings)).singleElement().asString()
                .contains("cleanup.policy=compact,delete");
    }

    @Test
    void aMissingRightIsNamedWithTopicAndCommand() {
        Set<AclOperation> reads = Set.of(AclOperation.DESCRIBE, AclOperation.READ);

        assertThat(of(Topic.RESULT).ofRights(TopicRole.WORKER, reads)).singleElement().asString()
                .contains("may not write the topic 'x.tool.result', as a worker has to")
                .contains("--operation Write --topic x.tool.result");
        assertThat(of(Topic.RESULT).ofRights(TopicRole.CATALOG, reads)).isEmpty();
        assertThat(of(Topic.CALL).ofRights(TopicRole.WORKER, Set.of(AclOperation.DESCRIBE, AclOperation.WRITE)))
                .singleElement().asString().contains("may not read");
        assertThat(of(Topic.RESULT).ofRights(TopicRole.WORKER, Set.of(AclOperation.ALL))).isEmpty();
        assertThat(of(Topic.RESULT).ofRights(TopicRole.WORKER, null)).as("the brokers do not say").isEmpty();
    }

    private static TopicProblems of(Topic topic) {
        return new TopicProblems(topic, "x." + topic.baseName(), "b:9092");
    }
}
