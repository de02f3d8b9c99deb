package dev.toolfleet.cli.approval;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;

import dev.toolfleet.cli.terminal.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LoginNameTest {
    private static final String ANN = """
-----BEGIN CERTIFICATE-----
MIIBkDCCATegAwIBAgIUEIE7wELQ8sRZUseH+BTMBUNr+ykwCgYIKoZIzj0EAwIw
HTENMAsGA1UECgwEYWNtZTEMMAoGA1UEAwwDYW5uMCAXDTI2MTEyNDEwMDQxMVoY
DzIxMjYxMDMxMTAwNDExWjAdMQ0wCwYDVQQKDARhY21lMQwwCgYDVQQDDANhbm4w
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATFOvz4hSKup6hULU4UW9Q2O89nW3WS
xdyL1E3O59u0e2RYzos0LS4MOGXnDMaleACvxSg4GfxMrUyW3TZo0Yuso1MwUTAd
BgNVHQ4EFgQUa6LTpU3SzSIhWvVg2E9ROqztOgUwHwYDVR0jBBgwFoAUa6LTpU3S
zSIhWvVg2E9ROqztOgUwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBE
AiAianTfuoSO6JdBbnwdlCCXePaUZm980nn53Sfuuf9+sgIgLZ+jrMVl1PihgbPo
a2vNw8zOodT7yISOJzGpk3USFfM=
-----END CERTIFICATE-----
""";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static Map<String, String> sasl(String mechanism, String jaas) {
        return Map.of("security.protocol", "SASL_SSL", "sasl.mechanism", mechanism, "sasl.jaas.config", jaas);
    }

    private static String scram(String options) {
        return "org.apache.kafka.common.security.scram.ScramLoginModule required " + options + ";";
    }

    @Test
    void aLoginOfSaslNamesItsUserOrItsClient() {
        assertThat(LoginName.of(sasl("SCRAM-SHA-512", scram("username=\"ann o\" password=\"p=;q\""))))
                .contains("ann o");
        assertThat(LoginName.of(sasl("PLAIN",
                "org.apache.kafka.common.security.plain.PlainLoginModule required password='x' username='ben';")))
                .contains("ben");
        String oauth = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required ";
        assertThat(LoginName.of(sasl("OAUTHBEARER", oauth + "clientId=\"bot\" clientSecret=\"s\";"))).contains("bot");
        assertThat(LoginName.of(Map.of("security.protocol", "SASL_SSL", "sasl.mechanism", "OAUTHBEARER",
                "sasl.oauthbearer.client.credentials.client.id", "desk"))).contains("desk");
    }

    @Test
    void aLoginOfTlsNamesTheSubjectOfItsCertificate() throws IOException, GeneralSecurityException {
        Path pem = Files.writeString(folder.resolve("ann.pem"), "-----BEGIN PRIVATE KEY-----\nAA==\n"
                + "-----END PRIVATE KEY-----\n" + ANN);
        assertThat(LoginName.of(Map.of("security.protocol", "SSL", "ssl.keystore.type", "PEM", "ssl.keystore.location",
                pem.toString()))).contains("CN=ann,O=acme");
        assertThat(LoginName.of(Map.of("security.protocol", "SSL", "ssl.keystore.certificate.chain", ANN)))
                .contains("CN=ann,O=acme");

        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        Certificate ann = CertificateFactory.getInstance("X.509").generateCertificate(
                Files.newInputStream(Files.writeString(folder.resolve("cert.pem"), ANN)));
        store.setKeyEntry("ann", KeyPairGenerator.getInstance("EC").generateKeyPair().getPrivate(),
                "pass".toCharArray(), new Certificate[]{ann});
        Path p12 = folder.resolve("ann.p12");
        try (var out = Files.newOutputStream(p12)) {
            store.store(out, "pass".toCharArray());
        }
        assertThat(LoginName.of(Map.of("security.protocol", "SSL", "ssl.keystore.type", "PKCS12",
                "ssl.keystore.location", p12.toString(), "ssl.keystore.password", "pass"))).contains("CN=ann,O=acme");
    }

    @Test
    void whoLogsInCannotClaimToBeAnother() {
        Map<String, String> ann = sasl("SCRAM-SHA-512", scram("username=\"ann\" password=\"p\""));

        assertThat(LoginName.by(ann, null)).isEqualTo("ann");
        assertThat(LoginName.by(ann, "ann")).isEqualTo("ann");
        assertThatThrownBy(() -> LoginName.by(ann, "ben")).isInstanceOf(Failure.class)
                .hasMessageContainingAll("--by 'ben'", "'ann'", "nothing was sent", "Leave --by out");
    }

    @Test
    void withoutALoginTheClaimIsTheNameAndElseThisSystemsUser() {
        assertThat(LoginName.by(Map.of(), "ben")).isEqualTo("ben");
        assertThat(LoginName.by(Map.of("security.protocol", "SSL"), "ben")).as("TLS without a certificate")
                .isEqualTo("ben");
        assertThat(LoginName.by(Map.of(), null)).isEqualTo(System.getProperty("user.name"));
        assertThat(LoginName.of(Map.of("sasl.jaas.config", scram("username=\"ann\" password=\"p\""))))
                .as("a login that is not used").isEmpty();
    }

    @Test
    void whatCannotBeReadIsNamedAndQuotesNoPassword() {
        assertThatThrownBy(() -> LoginName.of(sasl("PLAIN", "Module password=\"hunter2\"")))
                .isInstanceOf(Failure.class).hasMessageContaining("sasl.jaas.config")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> LoginName.of(Map.of("security.protocol", "SSL", "ssl.keystore.location",
                folder.resolve("none.p12").toString()))).isInstanceOf(Failure.class)
                .hasMessageContaining("none.p12");
    }
}
