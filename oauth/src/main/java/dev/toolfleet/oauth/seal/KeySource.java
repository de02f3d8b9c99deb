package dev.toolfleet.oauth.seal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import javax.crypto.SecretKey;

/// Source of a fleet's OAuth keys.
@FunctionalInterface
public interface KeySource {
    /// The variable with the keys, or with the path of their file.
    String VARIABLE = "TOOLFLEET_OAUTH_KEY";
    /// The variable with the password of a PKCS#12 file.
    String PASSWORD_VARIABLE = "TOOLFLEET_OAUTH_KEY_PASSWORD";

    /// Reads the keys.
    ///
    /// @return empty when none are set
    /// @throws IllegalArgumentException when what is there cannot be used; the message names the place and shows no key
    Optional<KeyRing> load();

    /// Returns the source that processes of a fleet use: a file that is configured; else the environment variable
    /// [#VARIABLE], with the keys themselves or with the path of their file.
    ///
    /// @param file the configured path, of text or PKCS#12 (`.p12`, `.pfx`); empty for none
    /// @param environment as [System#getenv]
    static KeySource of(Optional<Path> file, Map<String, String> environment) {
        return () -> {
            if (file.isPresent())
                return Optional.of(file(file.get(), environment));
            String value = environment.getOrDefault(VARIABLE, "").strip();
            if (value.isEmpty())
                return Optional.empty();
            // A path has no key of base64 behind a colon.
            return Optional.of(value.contains(":")
                    ? KeyRing.parse(value, VARIABLE)
                    : file(named(value), environment));
        };
    }

    /// The value may be a key without its id, so that no message quotes one that is no file.
    private static Path named(String value) {
        try {
            Path path = Path.of(value);
            if (Files.exists(path))
                return path;
        } catch (InvalidPathException e) {
            // Said below, without the value.
        }
        throw new IllegalArgumentException(VARIABLE + " has neither keys (ID:BASE64) nor the path of a file that is"
                + " there; make a file with: toolfleet oauth key init");
    }

    private static KeyRing file(Path file, Map<String, String> environment) {
        String name = file.toString();
        try {
            return name.endsWith(".p12") || name.endsWith(".pfx")
                    ? store(file, environment.getOrDefault(PASSWORD_VARIABLE, ""))
                    : KeyRing.parse(Files.readString(file), "'" + file + "'");
        } catch (IOException e) {
            throw new IllegalArgumentException("the OAuth keys '" + file + "' cannot be read: " + e.getMessage()
                    + "; make them with: toolfleet oauth key init", e);
        }
    }

    /// The aliases are the key ids. The one that sorts last is the current one, so a year or a number suits.
    private static KeyRing store(Path file, String password) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password.toCharArray());
            Map<String, SecretKey> keys = new LinkedHashMap<>();
            for (String alias : Collections.list(store.aliases()).stream().sorted().toList()) {
                if (store.getKey(alias, password.toCharArray()) instanceof SecretKey key)
                    keys.put(alias, key);
            }
            if (keys.isEmpty())
                throw new IllegalArgumentException("'" + file + "' has no secret key");
            return KeyRing.of(keys, keys.keySet().stream().sorted().toList().getLast());
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("'" + file + "' cannot be opened as PKCS#12; " + PASSWORD_VARIABLE
                    + " has its password", e);
        }
    }
}
