package dev.toolfleet.worker.app;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Settings;

/// The section `worker.tracing`: where spans of calls go.
///
/// @param endpoint takes OTLP over HTTP; empty when nothing is traced
/// @param sampling the share, 0 to 1, of the traces that begin at this worker; others follow their caller's decision
public record TracingConfig(Optional<URI> endpoint, double sampling) {
    /// Nothing is traced.
    public static final TracingConfig OFF = new TracingConfig(Optional.empty(), 1);

    /// Checks both.
    public TracingConfig {
        if (!(sampling >= 0 && sampling <= 1))
            throw new ConfigException("worker.tracing.sampling", Double.toString(sampling),
                    "a share from 0 to 1, such as 0.1");
        endpoint.ifPresent(uri -> {
            boolean http = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            if (!http || uri.getHost() == null || uri.getRawUserInfo() != null)
                throw endpoint(uri.toString());
        });
    }

    static TracingConfig of(Settings tracing) {
        String endpoint = tracing.text("endpoint", "").strip();
        String sampling = tracing.text("sampling", "1").strip();
        try {
            return new TracingConfig(endpoint.isEmpty() ? Optional.empty() : Optional.of(new URI(endpoint)),
                    Double.parseDouble(sampling));
        } catch (URISyntaxException e) {
            throw endpoint(endpoint);
        } catch (NumberFormatException e) {
            throw new ConfigException("worker.tracing.sampling", sampling, "a share from 0 to 1, such as 0.1");
        }
    }

    private static ConfigException endpoint(String value) {
        return new ConfigException("worker.tracing.endpoint", value,
                "where a collector takes OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces; empty traces nothing");
    }
}
