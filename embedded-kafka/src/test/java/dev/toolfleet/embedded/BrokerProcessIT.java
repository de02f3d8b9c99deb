package dev.toolfleet.embedded;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(120)
class BrokerProcessIT {

    private static final EmbeddedKafkaConfig CONFIG = EmbeddedKafkaConfig.temporary();

    @Test
    void recordsAndClientsOutliveAKilledBroker(@TempDir Path folder) throws Exception {
        try (BrokerProcess broker = BrokerProcess.start(CONFIG.withData(folder.resolve("data")),
                folder.resolve("broker.log"));
                Clients clients = new Clients(broker.bootstrapServers())) {
            clients.createTopic("orders");
            clients.send("orders", "before");
            String address = broker.bootstrapServers();
            long first = broker.pid();

            broker.kill();
            assertThat(ProcessHandle.of(first)).isEmpty();
            broker.restart();

            assertThat(broker.pid()).isNotEqualTo(first);
            assertThat(broker.bootstrapServers()).isEqualTo(address);
            clients.send("orders", "after");
            assertThat(clients.read("orders", 2)).containsExactly("before", "after");
        }
    }

    @Test
    void aBrokerThatCannotStartNamesItsLog(@TempDir Path folder) throws Exception {
        Files.createFile(folder.resolve("foreign"));
        Path log = Files.createTempFile("broker", ".log");
        try {
            assertThatExceptionOfType(EmbeddedKafkaException.class)
                    .isThrownBy(() -> BrokerProcess.start(CONFIG.withData(folder), log))
                    .withMessageContaining(log.toString());
            assertThat(log).content().contains("holds no broker's data");
        } finally {
            Files.delete(log);
        }
    }

    @Test
    void aProcessWithoutDataToKeepIsRefused(@TempDir Path folder) {
        assertThatIllegalArgumentException().isThrownBy(() -> BrokerProcess.start(CONFIG, folder.resolve("log")))
                .withMessageContaining("data");
    }
}
