package dev.toolfleet.oauth.seal;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;
import java.util.Optional;

import javax.crypto.spec.SecretKeySpec;

import dev.toolfleet.wire.SealedBox;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KeyRingTest {
    private static final byte[] SECRET = "token-1".getBytes(StandardCharsets.UTF_8);

    private final String first = KeyRing.newEntry("2026-1");
    private final String second = KeyRing.newEntry("2026-2");

    @Test
    void opensWhatItSealedForTheSamePurpose() {
        KeyRing keys = KeyRing.parse(first, "a test");
        SealedBox box = keys.seal("grant/1", SECRET);

        assertThat(keys.open("grant/1", box)).isEqualTo(SECRET);
        assertThat(box.ciphertext()).isNotEqualTo(keys.seal("grant/1", SECRET).ciphertext());
        assertThatThrownBy(() -> keys.open("grant/2", box)).isInstanceOf(SealException.class)
                .hasMessageContaining("another place");
    }

    @Test
    void oldKeyOpensAfterARotation() {
        SealedBox box = KeyRing.parse(first, "a test").seal("p", SECRET);
        KeyRing rotated = KeyRing.parse("# the newest first\n" + second + "\n" + first, "a test");

        assertThat(rotated.open("p", box)).isEqualTo(SECRET);
        assertThat(rotated.seal("p", SECRET).keyId()).isEqualTo("2026-2");
    }

    @Test
    void anotherKeyDoesNotOpen() {
        SealedBox box = KeyRing.parse(first, "a test").seal("p", SECRET);

        assertThatThrownBy(() -> KeyRing.parse(second, "a test").open("p", box)).isInstanceOf(SealException.class)
                .hasMessageContaining("2026-1", "2026-2");
        assertThatThrownBy(() -> KeyRing.parse(KeyRing.newEntry("2026-1"), "a test").open("p", box))
                .isInstanceOf(SealException.class);
    }

    @Test
    void changedCiphertextDoesNotOpen() {
        KeyRing keys = KeyRing.parse(first, "a test");
        SealedBox box = keys.seal("p", SECRET);
        char changed = box.ciphertext().charAt(0) == 'A' ? 'B' : 'A';

        assertThatThrownBy(() -> keys.open("p", new SealedBox(box.algorithm(), box.keyId(), box.iv(),
                changed + box.ciphertext().substring(1), box.tag()))).isInstanceOf(SealException.class);
    }

    @Test
    void signatureOfAnOldKeyCounts() {
        byte[] signature = KeyRing.parse(first, "a test").sign("text");
        KeyRing rotated = KeyRing.parse(second + "," + first, "a test");

        assertThat(rotated.isSigned("text", signature)).isTrue();
        assertThat(rotated.isSigned("other", signature)).isFalse();
        assertThat(KeyRing.parse(second, "a test").isSigned("text", signature)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing", "noColon", "a b:AAAA", "k:not base64!", "k:c2hvcnQ="})
    void whatIsNoKeyIsRefusedWithTheWayOut(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> KeyRing.parse(text, "a test"))
                .withMessageContaining("a test").withMessageContaining("toolfleet oauth key init");
    }

    @Test
    void messageShowsNoKey() {
        String key = first.substring(first.indexOf(':') + 1);

        assertThatIllegalArgumentException().isThrownBy(() -> KeyRing.parse(first + "x", "a test"))
                .withMessageNotContaining(key.substring(0, 20));
        assertThat(KeyRing.parse(first, "a test").toString()).contains("2026-1").doesNotContain(key);
    }

    @Test
    void keysComeFromTheEnvironmentOrFromAFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("oauth.key"), first + "\n");

        assertThat(KeySource.of(Optional.empty(), Map.of()).load()).isEmpty();
        assertThat(KeySource.of(Optional.empty(), Map.of(KeySource.VARIABLE, second)).load().orElseThrow().current())
                .isEqualTo("2026-2");
        assertThat(KeySource.of(Optional.empty(), Map.of(KeySource.VARIABLE, file.toString())).load().orElseThrow()
                .current()).isEqualTo("2026-1");
        assertThat(KeySource.of(Optional.of(file), Map.of(KeySource.VARIABLE, second)).load().orElseThrow().current())
                .isEqualTo("2026-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeySource.of(Optional.of(folder.resolve("none")), Map.of()).load())
                .withMessageContaining("none");
    }

    // Otherwise: a key that stands there without its id is read as a path, and the log shows it.
    @Test
    void keyWithoutItsIdIsNotQuoted() {
        String key = KeyRing.newEntry("k").substring(2);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeySource.of(Optional.empty(), Map.of(KeySource.VARIABLE, key)).load())
                .withMessageContaining(KeySource.VARIABLE).withMessageNotContaining(key.substring(0, 8));
    }

    @Test
    void keysComeFromPkcs12(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("oauth.p12");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (String id : new String[]{"2025", "2026"})
            store.setEntry(id, new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[32], "AES")),
                    new KeyStore.PasswordProtection("word".toCharArray()));
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, "word".toCharArray());
        }

        KeyRing keys = KeySource.of(Optional.of(file), Map.of(KeySource.PASSWORD_VARIABLE, "word")).load()
                .orElseThrow();
        assertThat(keys.current()).isEqualTo("2026");
        assertThat(keys.ids()).containsExactlyInAnyOrder("2025", "2026");
        assertThatThrownBy(() -> KeySource.of(Optional.of(file), Map.of()).load())
                .hasMessageContaining("oauth.p12");
    }
}
