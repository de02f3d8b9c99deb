package dev.toolfleet.cli.fleet;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.config.Settings;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.session.window.WindowConfig;
import dev.toolfleet.sessions.app.SessionConfig;
import dev.toolfleet.sessions.http.SessionServer;

/// The section `session` as the session service wants it.
public final class SessionSettings {
    private static final Path DEFAULT_STATE = Path.of(System.getProperty("java.io.tmpdir"), "toolfleet-session");

    private SessionSettings() {}

    /// Reads and finishes the section.
    public static SessionConfig of(FleetConfig config) {
        return of(config, DEFAULT_STATE);
    }

    /// Reads and finishes the section.
    ///
    /// @param state the folder of the service's stores, unless it is configured
    static SessionConfig of(FleetConfig config, Path state) {
        Settings session = config.session();
        Map<String, String> kafka = new HashMap<>(config.kafka().properties());
        kafka.put("bootstrap.servers", config.kafka().bootstrapServers());
        try {
            SessionConfig result = new SessionConfig(session.text("group", SessionConfig.DEFAULT_GROUP),
                    config.topics().topics(), kafka, session.path("stateDir", state),
                    session.duration("retention", SessionConfig.DEFAULT_RETENTION),
                    session.duration("messageWait", SessionConfig.DEFAULT_MESSAGE_WAIT),
                    window(session.section("window")),
                    session.integer("contextWindow", SessionConfig.DEFAULT_CONTEXT_WINDOW, 1, Integer.MAX_VALUE),
                    BundleTrust.of("session.trustedKeys", session.list("trustedKeys", List.of())),
                    session.integer("replication", config.topics().replication(), -1, Short.MAX_VALUE));
            http(config);
            session.finish();
            return result;
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    private static WindowConfig window(Settings window) {
        WindowConfig usual = WindowConfig.DEFAULT;
        return new WindowConfig(number(window, "warningThreshold", usual.warningThreshold()),
                number(window, "criticalThreshold", usual.criticalThreshold()),
                window.integer("reserveTokens", usual.reserveTokens(), 0, Integer.MAX_VALUE));
    }

    private static double number(Settings window, String key, double usual) {
        String text = window.text(key, Double.toString(usual));
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new ConfigException("session.window." + key, text, "a number between 0 and 1");
        }
    }

    /// Reads `session.http`.
    ///
    /// @return empty when there is no HTTP
    public static Optional<HttpConfig> http(FleetConfig config) {
        Settings http = config.session().section("http");
        try {
            return HttpConfig.of(SessionServer.SECTION, http.text("address", HttpConfig.DEFAULT_ADDRESS),
                    http.text("port", Integer.toString(SessionServer.DEFAULT_PORT)), http.text("token", ""),
                    http.text("advertised", ""));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }
}
