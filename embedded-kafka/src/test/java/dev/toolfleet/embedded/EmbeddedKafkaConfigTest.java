package dev.toolfleet.embedded;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class EmbeddedKafkaConfigTest {

    private final EmbeddedKafkaConfig config = EmbeddedKafkaConfig.temporary();

    @Test
    void aPortOutsideTheRangeIsRefusedByValue() {
        assertThatIllegalArgumentException().isThrownBy(() -> config.withPort(65_536)).withMessageContaining("65536");
        assertThatIllegalArgumentException().isThrownBy(() -> config.withPort(-1)).withMessageContaining("-1");
    }

    @Test
    void atLeastOnePartitionIsNeeded() {
        assertThatIllegalArgumentException().isThrownBy(() -> config.withPartitions(0))
                .withMessageContaining("partitions is 0");
    }

    @Test
    void aMisspeltBrokerSettingIsRefusedByName() {
        assertThatIllegalArgumentException().isThrownBy(() -> config.withProperty("mesage.max.bytes", "1"))
                .withMessageContaining("mesage.max.bytes").withMessageContaining("spelling");
    }

    @Test
    void aSettingThatTheModuleOwnsIsRefusedByName() {
        assertThatIllegalArgumentException().isThrownBy(() -> config.withProperty("log.dirs", "/var/kafka"))
                .withMessageContaining("log.dirs").withMessageContaining("/var/kafka");
    }

    @Test
    void theSuperUserIsAUserAndAllHaveNamesThatALoginCanHold() {
        assertThatIllegalArgumentException().isThrownBy(() -> new BrokerUsers("root", Map.of("ann", "a")))
                .withMessageContaining("root").withMessageContaining("ann");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BrokerUsers("ann", Map.of("ann", "a\" user_bob=\"b")))
                .withMessageContaining("ann").withMessageNotContaining("bob");
        BrokerUsers users = new BrokerUsers("ann", Map.of("ann", "hidden"));
        assertThat(config.withUsers(users).withPort(9092).toString()).contains("ann").doesNotContain("hidden");
        assertThatIllegalArgumentException().isThrownBy(() -> users.clientProperties("bob"))
                .withMessageContaining("bob");
    }

    @Test
    void whoMayDoWhatIsNoSettingOfItsOwn() {
        assertThatIllegalArgumentException().isThrownBy(() -> config.withProperty("super.users", "User:ann"))
                .withMessageContaining("super.users").withMessageContaining("users of the configuration");
    }

    @Test
    void aChangeKeepsTheRest() {
        EmbeddedKafkaConfig changed = config.withData(Path.of("data")).withPort(9092).withPartitions(2)
                .withProperty("message.max.bytes", "1000").withProperty("num.io.threads", "2");

        assertThat(changed.data()).contains(Path.of("data"));
        assertThat(changed.port()).isEqualTo(9092);
        assertThat(changed.partitions()).isEqualTo(2);
        assertThat(changed.properties()).containsEntry("message.max.bytes", "1000").containsEntry("num.io.threads",
                "2");
    }
}
