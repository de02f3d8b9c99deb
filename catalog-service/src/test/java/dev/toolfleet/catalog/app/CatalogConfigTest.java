package dev.toolfleet.catalog.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.topic.Topics;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CatalogConfigTest {
    @Test
    void aBadSettingIsNamedWithItsValue() {
        assertThatThrownBy(() -> config("a b", "h:1", Duration.ofHours(1), 1)).hasMessageContaining("group 'a b'");
        assertThatThrownBy(() -> config("g", " ", Duration.ofHours(1), 1))
                .hasMessageContaining("kafka.bootstrap.servers");
        assertThatThrownBy(() -> config("g", "h:1", Duration.ofMillis(1), 1))
                .hasMessageContaining("catalog.retention 'PT0.001S'");
        assertThatThrownBy(() -> config("g", "h:1", Duration.ofHours(1), 0))
                .hasMessageContaining("catalog.replication '0'");
    }

    @Test
    void internalTopicsBeginWithTheFleetsPrefix() {
        assertThat(config("toolfleet", "h:1", Duration.ofHours(1), -1).applicationId())
                .isEqualTo("acme.toolfleet.catalog");
    }

    private static CatalogConfig config(String group, String servers, Duration retention, int replication) {
        return new CatalogConfig(group, new Topics("acme."), Map.of("bootstrap.servers", servers), Path.of("state"),
                retention, replication, CatalogConfig.DEFAULT_BUNDLES);
    }
}
