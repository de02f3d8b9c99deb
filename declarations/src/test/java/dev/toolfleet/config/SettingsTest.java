package dev.toolfleet.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SettingsTest {
    private enum Mode {
        STEP, BY_AGENT
    }

    @Test
    void anAbsentKeyHasItsDefault() {
        Settings settings = Settings.of("worker", Map.of());

        assertThat(settings.text("name", "w")).isEqualTo("w");
        assertThat(settings.integer("count", 3)).isEqualTo(3);
        assertThat(settings.bool("on", true)).isTrue();
        assertThat(settings.duration("wait", Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.bytes("size", 7)).isEqualTo(7);
        assertThat(settings.list("names", List.of("a"))).containsExactly("a");
        assertThat(settings.choice("mode", Mode.BY_AGENT)).isEqualTo(Mode.BY_AGENT);
        assertThat(settings.section("lane").integer("maxQueued", 9)).isEqualTo(9);
        settings.finish();
    }

    @Test
    void aPresentKeyIsReadInItsType() {
        Settings settings = Settings.of("worker", Map.of("count", 10, "on", false, "names", List.of("a", "b"), "mode",
                "by-agent", "root", "/data", "lane", Map.of("maxQueued", "12")));

        assertThat(settings.integer("count", 3)).isEqualTo(10);
        assertThat(settings.bool("on", true)).isFalse();
        assertThat(settings.list("names", List.of())).containsExactly("a", "b");
        assertThat(settings.choice("mode", Mode.STEP)).isEqualTo(Mode.BY_AGENT);
        assertThat(settings.path("root", Path.of("."))).isEqualTo(Path.of("/data"));
        assertThat(settings.section("lane").integer("maxQueued", 9)).isEqualTo(12);
        settings.finish();
    }

    @ParameterizedTest
    @CsvSource({"250ms,PT0.25S", "30s,PT30S", "10m,PT10M", "2h,PT2H", "7d,PT168H", "PT5M,PT5M", "0s,PT0S"})
    void aDurationHasAUnit(String text, Duration expected) {
        assertThat(Settings.of("w", Map.of("d", text)).duration("d", Duration.ZERO)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"30", "", "-5s", "PT-5M", "s", "30 years", "99999999999999s"})
    void whatIsNoDurationIsRefused(String text) {
        assertThatThrownBy(() -> Settings.of("worker", Map.of("wait", text)).duration("wait", Duration.ZERO))
                .isInstanceOf(ConfigException.class).hasMessageContaining("worker.wait is '" + text + "'")
                .hasMessageContaining("30s");
    }

    @ParameterizedTest
    @CsvSource({"65536,65536", "512KB,524288", "64MB,67108864", "64MiB,67108864", "1gb,1073741824"})
    void aSizeIsInBytes(String text, long expected) {
        assertThat(Settings.of("w", Map.of("s", text)).bytes("s", 0)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"64TB", "-1", "x", "999999999999999GB"})
    void whatIsNoSizeIsRefused(String text) {
        assertThatThrownBy(() -> Settings.of("w", Map.of("s", text)).bytes("s", 0)).hasMessageContaining("64MB");
    }

    @Test
    void aNumberOutsideItsRangeNamesTheRange() {
        assertThatThrownBy(() -> Settings.of("topics", Map.of("partitions", "0")).integer("partitions", 12, 1, 100))
                .hasMessage("topics.partitions is '0'; accepted: a whole number from 1 to 100 (it stands in config)");
    }

    @Test
    void anUnknownKeyIsRefusedWithTheNearestKnownOne() {
        Settings settings = Settings.of("worker", Map.of("maxInflihgt", 3));
        settings.integer("maxInFlight", 1);
        settings.integer("other", 1);

        assertThatThrownBy(settings::finish)
                .hasMessage("unknown setting worker.maxInflihgt; did you mean worker.maxInFlight?");
    }

    @Test
    void anUnknownKeyFarFromAllListsThem() {
        Settings settings = Settings.of("worker", Map.of("zzz", 3));
        settings.integer("maxInFlight", 1);

        assertThatThrownBy(settings::finish).hasMessageEndingWith("known: maxInFlight");
    }

    @Test
    void anUnknownKeyOfANestedSectionIsRefused() {
        Settings settings = Settings.of("worker", Map.of("lane", Map.of("depth", 3)));
        settings.section("lane").integer("maxQueued", 3);

        assertThatThrownBy(settings::finish).hasMessageContaining("worker.lane.depth");
    }

    @Test
    void aSecretNeverStandsInAMessage() {
        assertThatThrownBy(() -> Settings.of("worker", Map.of("apiKey", "hunter2")).integer("apiKey", 1))
                .hasMessageNotContaining("hunter2").hasMessageContaining("worker.apiKey");
    }

    @Test
    void aRequiredTextThatIsMissingSaysHowToSetIt() {
        assertThatThrownBy(() -> Settings.of("worker", Map.of()).text("id"))
                .hasMessageContaining("TOOLFLEET_WORKER_ID").hasMessageContaining("--set worker.id=");
    }

    @Test
    void freeKeysAreFlattened() {
        Settings settings = Settings.of("kafka",
                Map.of("properties", Map.of("ssl", Map.of("truststore", Map.of("location", "/t")), "acks", "all")));

        assertThat(settings.texts("properties")).containsOnly(Map.entry("ssl.truststore.location", "/t"),
                Map.entry("acks", "all"));
    }
}
