package dev.toolfleet.cli.fleet;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.catalog.app.CatalogConfig;
import dev.toolfleet.catalog.http.CatalogServer;
import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.config.Settings;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.resources.BundleTrust;

/// The section `catalog` as the catalog service wants it.
public final class CatalogSettings {
    private static final Path DEFAULT_STATE = Path.of(System.getProperty("java.io.tmpdir"), "toolfleet-catalog");

    private CatalogSettings() {}

    /// Reads and finishes the section.
    public static CatalogConfig of(FleetConfig config) {
        return of(config, DEFAULT_STATE);
    }

    /// Reads and finishes the section.
    ///
    /// @param state the folder of the service's store, unless it is configured
    static CatalogConfig of(FleetConfig config, Path state) {
        Settings catalog = config.catalog();
        Map<String, String> kafka = new HashMap<>(config.kafka().properties());
        kafka.put("bootstrap.servers", config.kafka().bootstrapServers());
        try {
            CatalogConfig result = new CatalogConfig(catalog.text("group", CatalogConfig.DEFAULT_GROUP),
                    config.topics().topics(), kafka, catalog.path("stateDir", state),
                    catalog.duration("retention", CatalogConfig.DEFAULT_RETENTION),
                    catalog.integer("replication", config.topics().replication(), -1, Short.MAX_VALUE),
                    catalog.path("bundles", CatalogConfig.DEFAULT_BUNDLES),
                    BundleTrust.of("catalog.trustedKeys", catalog.list("trustedKeys", List.of())));
            http(config);
            catalog.finish();
            return result;
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    /// Reads `catalog.http`.
    ///
    /// @return empty when there is no HTTP
    public static Optional<HttpConfig> http(FleetConfig config) {
        Settings http = config.catalog().section("http");
        try {
            return HttpConfig.of(CatalogServer.SECTION, http.text("address", HttpConfig.DEFAULT_ADDRESS),
                    http.text("port", Integer.toString(CatalogServer.DEFAULT_PORT)), http.text("token", ""),
                    http.text("advertised", ""));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }
}
