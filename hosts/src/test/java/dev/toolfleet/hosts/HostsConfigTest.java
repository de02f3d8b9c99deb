package dev.toolfleet.hosts;

import java.util.Map;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Settings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HostsConfigTest {
    @Test
    void settingsHaveDefaults() {
        assertThat(HostsConfig.of(Settings.of("worker.hosts", Map.of()))).isEqualTo(HostsConfig.DEFAULT);
        assertThat(HostsConfig.of(Settings.of("worker.hosts", Map.of("node", "/opt/node", "memory", "64MB"))))
                .isEqualTo(new HostsConfig("/opt/node", "python3", 64L << 20, 1));
    }

    @Test
    void memoryWithWhichNoHostStartsIsRefused() {
        assertThatThrownBy(() -> HostsConfig.of(Settings.of("worker.hosts", Map.of("memory", "1MB"))))
                .isInstanceOf(ConfigException.class).hasMessageContaining("worker.hosts.memory");
    }
}
