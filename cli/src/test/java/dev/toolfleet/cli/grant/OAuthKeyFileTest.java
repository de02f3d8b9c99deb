package dev.toolfleet.cli.grant;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.oauth.seal.KeyRing;
import dev.toolfleet.oauth.seal.KeySource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OAuthKeyFileTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    // Otherwise: a worker that has the new file seals what the others cannot open.
    @Test
    void newKeyOpensBeforeItSeals() {
        Path file = folder.resolve("keys/oauth.key");
        assertThat(OAuthKeyFile.init(file, "k1")).containsExactly("k1");
        KeyRing others = keys(file);
        assertThat(OAuthKeyFile.init(file, "k2")).containsExactly("k1", "k2");
        KeyRing first = keys(file);
        assertThat(new String(others.open("p", first.seal("p", "x".getBytes(UTF_8))), UTF_8)).isEqualTo("x");
        assertThat(OAuthKeyFile.promote(file, null)).containsExactly("k2", "k1");

        assertThat(keys(file).current()).isEqualTo("k2");
        assertThat(first.open("p", keys(file).seal("p", "x".getBytes(UTF_8)))).hasSize(1);
    }

    @Test
    void commentsAndKeysInOneLineStay() throws Exception {
        Path file = folder.resolve("oauth.key");
        Files.writeString(file, "# of the fleet\n" + KeyRing.newEntry("k1") + "," + KeyRing.newEntry("k2"));
        OAuthKeyFile.init(file, "k3");

        assertThat(OAuthKeyFile.promote(file, "k2")).containsExactly("k2", "k1", "k3");
        assertThat(Files.readString(file)).contains("# of the fleet");
        assertThatThrownBy(() -> OAuthKeyFile.promote(file, "k9")).isInstanceOf(Failure.class)
                .hasMessageContaining("k9");
        assertThatThrownBy(() -> OAuthKeyFile.init(file, "k1")).isInstanceOf(Failure.class)
                .hasMessageContaining("already");
    }

    private static KeyRing keys(Path file) {
        return KeySource.of(Optional.of(file), Map.of()).load().orElseThrow();
    }
}
