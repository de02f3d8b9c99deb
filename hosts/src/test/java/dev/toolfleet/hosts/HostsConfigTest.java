package dev.toolfleet.hosts;

import java.time.Duration;
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
                .isEqualTo(new HostsConfig("/opt/node", "python3", 64L << 20, 1, HostsConfig.DEFAULT.renewal()));
    }

    @Test
    void aProcessIsRenewedAfterItsCallsOrItsTime() {
        HostsConfig.Renewal renewal = HostsConfig
                .of(Settings.of("worker.hosts", Map.of("maxCalls", "10", "maxAge", "1h"))).renewal();

        assertThat(renewal.isDue(9, Duration.ofMinutes(59))).isFalse();
        assertThat(renewal.isDue(10, Duration.ZERO)).isTrue();
        assertThat(renewal.isDue(0, Duration.ofHours(1))).isTrue();
        assertThat(HostsConfig.DEFAULT.renewal().isDue(1_000_000, Duration.ofDays(100))).isFalse();
    }

    @Test
    void memoryWithWhichNoHostStartsIsRefused() {
        assertThatThrownBy(() -> HostsConfig.of(Settings.of("worker.hosts", Map.of("memory", "1MB"))))
                .isInstanceOf(ConfigException.class).hasMessageContaining("worker.hosts.memory");
    }
}
