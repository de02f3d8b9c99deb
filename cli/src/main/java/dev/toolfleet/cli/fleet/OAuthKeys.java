package dev.toolfleet.cli.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import dev.toolfleet.gateway.app.GatewayConfig;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.seal.KeyRing;
import dev.toolfleet.oauth.seal.KeySource;

/// OAuth keys of a fleet in one process, whose grants end with it.
final class OAuthKeys {
    private OAuthKeys() {}

    /// Returns a file with a new key; empty when the environment has the keys.
    ///
    /// @param folder removed with the fleet
    static Optional<Path> usual(Path folder) {
        if (KeySource.of(Optional.empty(), System.getenv()).load().isPresent())
            return Optional.empty();
        try {
            return Optional.of(Files.writeString(folder.resolve("oauth.key"), KeyRing.newEntry("here")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the settings with the keys of that file, unless they have their own.
    static GatewayConfig in(GatewayConfig config, Optional<Path> file) {
        return config.oauth().isPresent() || file.isEmpty()
                ? config
                : config.withOAuth(new Secrets(KeySource.of(file, System.getenv()).load().orElseThrow()));
    }
}
