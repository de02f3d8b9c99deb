package dev.toolfleet.embedded.junit;

import java.util.List;
import java.util.Map;

import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@EmbeddedKafkaTest
@Timeout(60)
class KafkaFixtureIT {

    private final KafkaFixture kafka;

    KafkaFixtureIT(KafkaFixture kafka) {
        this.kafka = kafka;
    }

    @Test
    void aRecordTravelsWithItsProperties() throws Exception {
        String topic = kafka.create("calls", 1);

        assertThat(RoundTrip.through(kafka, topic, "hello")).isEqualTo("hello");
    }

    @Test
    void everyGroupIsNew() {
        assertThat(kafka.newGroup()).isNotEqualTo(kafka.newGroup()).startsWith(kafka.prefix());
    }

    @Test
    void aTopicGetsItsConfigs() throws Exception {
        String topic = kafka.create("state", 2, Map.of("cleanup.policy", "compact"));

        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        assertThat(kafka.admin().describeConfigs(List.of(resource)).all().get().values()).singleElement()
                .satisfies(config -> assertThat(config.get("cleanup.policy").value()).isEqualTo("compact"));
    }

    @Test
    void whatTheBrokerRefusesSaysWhy() {
        kafka.create("twice", 1);

        assertThatIllegalStateException().isThrownBy(() -> kafka.create("twice", 1))
                .withMessageContaining(kafka.topic("twice"));
    }
}
