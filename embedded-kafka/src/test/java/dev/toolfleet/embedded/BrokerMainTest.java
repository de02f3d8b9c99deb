package dev.toolfleet.embedded;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class BrokerMainTest {

    @Test
    void aConfigurationSurvivesTheCommandLine() {
        EmbeddedKafkaConfig config = EmbeddedKafkaConfig.temporary().withPort(20_001).withPartitions(3)
                .withData(Path.of("data=here").toAbsolutePath()).withProperty("log.retention.ms", "-1")
                .withProperty("broker.rack", "a=b");

        NodePlace place = NodePlace.cluster(List.of(20_002, 20_003, 20_004)).get(1);

        List<String> arguments = BrokerMain.arguments(config, place);

        assertThat(BrokerMain.config(arguments)).isEqualTo(config);
        assertThat(BrokerMain.place(arguments)).isEqualTo(place);
    }

    @Test
    void passwordsAreNotWrittenOnACommandLine() {
        EmbeddedKafkaConfig secured = EmbeddedKafkaConfig.temporary()
                .withUsers(new BrokerUsers("admin", Map.of("admin", "hidden")));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> BrokerMain.arguments(secured, NodePlace.cluster(List.of(20_002)).getFirst()))
                .withMessageContaining("admin").withMessageNotContaining("hidden");
    }

    @Test
    void anUnknownArgumentIsRefusedByName() {
        assertThatIllegalArgumentException().isThrownBy(() -> BrokerMain.config(List.of("prot=1")))
                .withMessageContaining("prot");
    }
}
