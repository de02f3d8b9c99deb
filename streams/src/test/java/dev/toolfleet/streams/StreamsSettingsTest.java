package dev.toolfleet.streams;

import java.nio.file.Path;
import java.util.Map;

import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StreamsSettingsTest {
    @Test
    void clientPropertiesPassThroughButNeverWeakenExactlyOnceOrTheBoundOfMemory() {
        StreamsSettings settings = new StreamsSettings("g.catalog", Path.of("state"), 3,
                Map.of("bootstrap.servers", "h:1", "security.protocol", "SSL", "processing.guarantee",
                        "at_least_once", "commit.interval.ms", "50", "rocksdb.config.setter", "com.acme.Other"));

        assertThat(settings.properties()).containsEntry("security.protocol", "SSL")
                .containsEntry("processing.guarantee", StreamsConfig.EXACTLY_ONCE_V2)
                .containsEntry("rocksdb.config.setter", SharedStoreMemory.class)
                .containsEntry("commit.interval.ms", "50").containsEntry("replication.factor", 3)
                .containsEntry("application.id", "g.catalog").containsEntry("state.dir", "state");
    }
}
