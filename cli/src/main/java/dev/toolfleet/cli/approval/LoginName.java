package dev.toolfleet.cli.approval;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.cli.terminal.Failure;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.jspecify.annotations.Nullable;

/// Name under which a command logs in to the brokers, from the properties of its Kafka clients: the user of SASL PLAIN
/// or SCRAM, the client of OAuth, the subject of the TLS certificate.
///
/// It is the honest claim of this command. Brokers do not write it into records, so it is no proof for readers.
final class LoginName {
    /// Options of login modules that name the one who logs in, by preference.
    private static final List<String> OPTIONS = List.of("username", "clientId", "unsecuredLoginStringClaim_sub");
    private static final Pattern CERTIFICATE = Pattern
            .compile("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", Pattern.DOTALL);

    private LoginName() {}

    /// The name for a decision: that of the login where there is one, else the claimed one, else this system's user.
    ///
    /// @param claimed name that the person gives; null for none
    /// @throws Failure (invalid) when the claim is not the login's name
    static String by(Map<String, ?> client, @Nullable String claimed) {
        Optional<String> login = of(client);
        if (login.isEmpty())
            return claimed == null ? System.getProperty("user.name", "unknown") : claimed;
        if (claimed != null && !claimed.equals(login.get()))
            throw Failure.invalid("--by '" + claimed + "' is not the login of this command, which is '" + login.get()
                    + "'; nothing was sent. Leave --by out, or log in as '" + claimed
                    + "' (kafka.properties.sasl.jaas.config or ssl.keystore.location)");
        return login.get();
    }

    /// The name of the login; empty where the properties hold none.
    ///
    /// @throws Failure when they name a keystore that cannot be read
    static Optional<String> of(Map<String, ?> client) {
        String protocol = text(client, "security.protocol").orElse("PLAINTEXT").toUpperCase(Locale.ROOT);
        if (protocol.startsWith("SASL"))
            return ofSasl(client);
        return protocol.equals("SSL") ? ofCertificate(client) : Optional.empty();
    }

    private static Optional<String> ofSasl(Map<String, ?> client) {
        Optional<String> oauth = text(client, "sasl.oauthbearer.client.credentials.client.id");
        Optional<String> jaas = text(client, "sasl.jaas.config");
        if (jaas.isEmpty())
            return oauth;
        try {
            return JaasContext.loadClientContext(Map.of("sasl.jaas.config", new Password(jaas.get())))
                    .configurationEntries().stream()
                    .flatMap(entry -> OPTIONS.stream().map(entry.getOptions()::get).filter(String.class::isInstance))
                    .map(String.class::cast).filter(name -> !name.isBlank()).findFirst().or(() -> oauth);
        } catch (KafkaException | IllegalArgumentException e) {
            // The message of the cause may quote the password.
            throw Failure.invalid("kafka.properties.sasl.jaas.config cannot be read, so the login has no name; it has"
                    + " the form: MODULE required username=\"…\" password=\"…\";");
        }
    }

    private static Optional<String> ofCertificate(Map<String, ?> client) {
        Optional<String> chain = text(client, "ssl.keystore.certificate.chain");
        Optional<String> location = text(client, "ssl.keystore.location");
        if (chain.isEmpty() && location.isEmpty())
            return Optional.empty();
        String type = text(client, "ssl.keystore.type").orElse(KeyStore.getDefaultType());
        try {
            Certificate own = chain.isPresent()
                    ? ofPem(chain.get())
                    : type.equalsIgnoreCase("PEM")
                            ? ofPem(Files.readString(Path.of(location.get()), StandardCharsets.ISO_8859_1))
                            : ofStore(Path.of(location.get()), type, text(client, "ssl.keystore.password"));
            return own instanceof X509Certificate x509
                    ? Optional.of(x509.getSubjectX500Principal().getName())
                    : Optional.empty();
        } catch (IOException | GeneralSecurityException e) {
            throw Failure.invalid("the certificate of this command cannot be read from "
                    + location.orElse("kafka.properties.ssl.keystore.certificate.chain") + ", so the login has no"
                    + " name: " + e.getMessage());
        }
    }

    /// The first certificate is the login's own; its issuers follow.
    private static @Nullable Certificate ofPem(String pem) throws GeneralSecurityException {
        Matcher certificate = CERTIFICATE.matcher(pem);
        return certificate.find()
                ? CertificateFactory.getInstance("X.509").generateCertificate(
                        new ByteArrayInputStream(certificate.group().getBytes(StandardCharsets.ISO_8859_1)))
                : null;
    }

    private static @Nullable Certificate ofStore(Path file, String type, Optional<String> password)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(type);
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password.map(String::toCharArray).orElse(null));
        }
        List<Certificate> own = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias))
                own.add(store.getCertificate(alias));
        }
        // Of several the brokers choose by what they trust, which is not known here.
        return own.size() == 1 ? own.getFirst() : null;
    }

    private static Optional<String> text(Map<String, ?> client, String key) {
        Object value = client.get(key);
        String text = value instanceof Password password ? password.value() : value == null ? "" : value.toString();
        return text.isBlank() ? Optional.empty() : Optional.of(text);
    }
}
