package dev.toolfleet.worker.poll;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.KafkaConfig;
import dev.toolfleet.config.Settings;
import dev.toolfleet.config.TopicsConfig;
import dev.toolfleet.worker.app.WorkerConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KafkaClientsTest {

    private static KafkaClients clients(Map<String, String> kafka, Map<String, ?> group) {
        WorkerConfig config = WorkerConfig.of(new KafkaConfig("unused:9092", kafka),
                new TopicsConfig("", 1, TopicsConfig.BROKER_DEFAULT),
                Settings.of("worker", Map.of("group", group)), "w1", Path::of);
        return new KafkaClients(config.kafka(), config.topics(), config.identity().member());
    }

    private static Map<String, Object> member(KafkaClients clients) {
        return clients.memberProperties(new JoinTrackingAssignor.JoinState());
    }

    @Test
    void aRebalanceWaitsForNoMemberLongerThanTwentySeconds() {
        Map<String, Object> member = member(clients(Map.of("max.poll.interval.ms", "300000"), Map.of()));

        assertThat(member).containsEntry("max.poll.interval.ms", 20_000).containsEntry("session.timeout.ms", 6_000)
                .containsEntry("heartbeat.interval.ms", 500).containsEntry("group.protocol", "classic");
    }

    @Test
    void aMemberIsForgivenAPauseUpToItsSessionTimeout() {
        KafkaClients clients = clients(Map.of(), Map.of("sessionTimeout", "30s"));

        assertThat(member(clients)).containsEntry("max.poll.interval.ms", 30_000);
        assertThat(new MemberIdentity("g", "x", Duration.ofSeconds(30)).longestRebalance())
                .isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void theNewerGroupProtocolIsRefusedByItsKey() {
        assertThatThrownBy(() -> clients(Map.of(), Map.of("protocol", "consumer")))
                .isInstanceOf(ConfigException.class).hasMessageContaining("worker.group.protocol")
                .hasMessageContaining("remove the key");
    }
}
