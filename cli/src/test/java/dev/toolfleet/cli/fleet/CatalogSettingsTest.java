package dev.toolfleet.cli.fleet;

import java.util.Map;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Effective;
import dev.toolfleet.config.FleetConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CatalogSettingsTest {
    private static final String TOKEN = "a-token-of-enough-length";

    @Test
    void theTokenComesFromTheEnvironmentAndIsNotShown() {
        FleetConfig config = FleetConfig.parse("catalog: {http: {address: 0.0.0.0}}",
                Map.of("TOOLFLEET_CATALOG_HTTP_TOKEN", TOKEN), Map.of());

        CatalogSettings.of(config);
        assertThat(CatalogSettings.http(config).orElseThrow().token()).isPresent();
        assertThat(config.effective()).anySatisfy(setting -> {
            assertThat(setting.key()).isEqualTo("catalog.http.token");
            assertThat(setting.shown()).isEqualTo("********");
        }).extracting(Effective::shown).noneMatch(shown -> shown.contains(TOKEN));
    }

    @Test
    void withoutATokenOtherMachinesAreNotAnswered() {
        FleetConfig config = FleetConfig.parse("catalog: {http: {address: 0.0.0.0}}", Map.of(), Map.of());

        assertThatThrownBy(() -> CatalogSettings.of(config)).isInstanceOf(ConfigException.class)
                .hasMessageContaining("catalog.http.address '0.0.0.0'")
                .hasMessageContaining("TOOLFLEET_CATALOG_HTTP_TOKEN");
    }

    @Test
    void httpCanBeTurnedOff() {
        FleetConfig config = FleetConfig.parse("", Map.of(), Map.of("catalog.http.port", "off"));

        CatalogSettings.of(config);
        assertThat(CatalogSettings.http(config)).isEmpty();
    }
}
