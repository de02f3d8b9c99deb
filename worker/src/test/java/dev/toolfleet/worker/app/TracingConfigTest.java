package dev.toolfleet.worker.app;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TracingConfigTest {
    private static TracingConfig of(Map<String, String> settings) {
        return TracingConfig.of(Settings.of("worker.tracing", settings));
    }

    @Test
    void nothingIsTracedUnlessAnEndpointIsNamed() {
        assertThat(of(Map.of())).isEqualTo(TracingConfig.OFF);
        assertThat(of(Map.of("endpoint", "http://127.0.0.1:4318/v1/traces", "sampling", "0.25")))
                .isEqualTo(new TracingConfig(Optional.of(URI.create("http://127.0.0.1:4318/v1/traces")), 0.25));
    }

    @ParameterizedTest
    @ValueSource(strings = {"collector:4318", "grpc://collector:4317", "http:///v1/traces", "http://a b/",
            "/v1/traces"})
    void anEndpointIsAnAddressOfHttp(String endpoint) {
        assertThatThrownBy(() -> of(Map.of("endpoint", endpoint))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("worker.tracing.endpoint").hasMessageContaining(endpoint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "-0.1", "NaN", "all"})
    void samplingIsAShare(String sampling) {
        assertThatThrownBy(() -> of(Map.of("sampling", sampling))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("worker.tracing.sampling").hasMessageContaining(sampling);
    }
}
