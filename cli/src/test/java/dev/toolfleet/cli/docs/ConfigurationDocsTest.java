package dev.toolfleet.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.catalog.app.CatalogConfig;
import dev.toolfleet.cli.fleet.CatalogSettings;
import dev.toolfleet.cli.fleet.GatewaySettings;
import dev.toolfleet.cli.fleet.SessionSettings;
import dev.toolfleet.config.Effective;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.gateway.app.GatewayConfig;
import dev.toolfleet.sessions.app.SessionConfig;
import dev.toolfleet.worker.app.WorkerConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// `docs/configuration.md` has every setting that is read, no other, and the defaults that hold.
class ConfigurationDocsTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([\\w.-]+)` \\| (.*?) \\|");
    private static final Pattern LITERAL = Pattern.compile("`([^`]*)`");
    /// Values for the keys whose default is told in words.
    private static final Map<String, String> IN_WORDS = Map.of("worker.name", "worker-1", "worker.group.id",
            "toolfleet", "worker.extensions", "", "worker.errors.helpBaseUrl", "", "topics.prefix", "",
            "catalog.replication", "-1", "worker.completion.replication", "-1", "catalog.http.token", "",
            "catalog.http.advertised", "", "catalog.stateDir",
            System.getProperty("java.io.tmpdir") + "/toolfleet-catalog");
    /// The same for those of the gateway.
    private static final Map<String, String> OF_GATEWAY = Map.of("gateway.stateDir",
            System.getProperty("java.io.tmpdir") + "/toolfleet-gateway", "gateway.replication", "-1",
            "gateway.http.advertised", "", "gateway.publicUrl", "", "gateway.internal.advertised", "",
            "gateway.internal.token", "");
    /// The same for those of the session service.
    private static final Map<String, String> OF_SESSION = Map.of("session.stateDir",
            System.getProperty("java.io.tmpdir") + "/toolfleet-session", "session.replication", "-1",
            "session.http.token", "", "session.http.advertised", "");
    /// Maps with free keys.
    private static final Set<String> MAPS = Set.of("kafka.properties", "gateway.principals",
            "gateway.webhooks.secrets");

    private record Read(FleetConfig fleet, WorkerConfig worker, CatalogConfig catalog, GatewayConfig gateway,
            SessionConfig session) {
        static Read with(Map<String, String> flags) {
            FleetConfig fleet = FleetConfig.parse("", Map.of(), flags);
            return new Read(fleet, WorkerConfig.of(fleet.kafka(), fleet.topics(), fleet.worker(), "worker-1"),
                    CatalogSettings.of(fleet), GatewaySettings.of(fleet).orElseThrow(),
                    SessionSettings.of(fleet));
        }
    }

    @Test
    void everySettingThatIsReadIsDocumentedAndNoOther() throws IOException {
        Set<String> read = new TreeSet<>(Read.with(Map.of()).fleet().effective().stream().map(Effective::key).toList());
        read.addAll(MAPS);

        assertThat(documented().keySet()).containsExactlyInAnyOrderElementsOf(read);
    }

    @Test
    void theDocumentedDefaultsAreWhatHoldsWithoutASetting() throws IOException {
        Map<String, String> defaults = new HashMap<>();
        documented().forEach((key, cell) -> {
            Matcher literal = LITERAL.matcher(cell);
            if (!MAPS.contains(key))
                defaults.put(key,
                        OF_GATEWAY.getOrDefault(key,
                                OF_SESSION.getOrDefault(key, IN_WORDS.getOrDefault(key, literal.matches()
                                        ? literal.group(1)
                                        : cell.equals("none") ? "" : "?"))));
        });

        Read documented = Read.with(defaults);
        Read unset = Read.with(Map.of());

        assertThat(documented.fleet().kafka()).isEqualTo(unset.fleet().kafka());
        assertThat(documented.fleet().topics()).isEqualTo(unset.fleet().topics());
        assertThat(documented.worker()).usingRecursiveComparison().ignoringFields("folders.bundles")
                .isEqualTo(unset.worker());
        assertThat(documented.catalog()).isEqualTo(unset.catalog());
        assertThat(documented.gateway()).usingRecursiveComparison().isEqualTo(unset.gateway());
        assertThat(documented.session()).isEqualTo(unset.session());
        assertThat(CatalogSettings.http(documented.fleet())).isPresent()
                .isEqualTo(CatalogSettings.http(unset.fleet()));
    }

    @Test
    void theExampleCanBeRead() throws IOException {
        String yaml = text().replaceFirst("(?s).*?```yaml\n(.*?)```.*", "$1");

        FleetConfig fleet = FleetConfig.parse(yaml, Map.of(), Map.of());
        WorkerConfig worker = WorkerConfig.of(fleet.kafka(), fleet.topics(), fleet.worker(), "worker-1");

        assertThat(worker.lanes().maxInFlight()).isEqualTo(2000);
        assertThat(CatalogSettings.of(fleet).stateDir()).isEqualTo(Path.of("/srv/toolfleet/catalog"));
        assertThat(GatewaySettings.of(fleet).orElseThrow().readModel().stateDir())
                .isEqualTo(Path.of("/srv/toolfleet/gateway"));
    }

    /// The cell `default` by key.
    private static Map<String, String> documented() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        for (Matcher row = ROW.matcher(text()); row.find();)
            rows.put(row.group(1), row.group(2));
        return rows;
    }

    private static String text() throws IOException {
        return Files.readString(Path.of("../docs/configuration.md"));
    }
}
