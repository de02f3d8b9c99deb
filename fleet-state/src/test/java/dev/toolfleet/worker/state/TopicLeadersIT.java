package dev.toolfleet.worker.state;

import java.util.Set;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@EmbeddedKafkaTest
class TopicLeadersIT {

    @Test
    void aTopicThatIsServedIsReachableAndOneThatIsNotThereIsNot(KafkaFixture kafka) throws Exception {
        String topic = kafka.create("letters", 2);
        TopicLeaders leaders = new TopicLeaders(kafka.admin());

        assertThat(leaders.reachable(Set.of(new TopicPartition(topic, 1), new TopicPartition(topic, -1))).get(60,
                SECONDS)).isTrue();
        assertThatThrownBy(
                () -> leaders.reachable(Set.of(new TopicPartition(kafka.topic("missing"), -1))).get(60, SECONDS))
                .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
    }
}
