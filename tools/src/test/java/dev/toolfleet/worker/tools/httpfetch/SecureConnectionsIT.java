package dev.toolfleet.worker.tools.httpfetch;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.InstantSource;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import dev.toolfleet.worker.egress.AddressLookup;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.runtime.builtin.DeclaredTool;
import dev.toolfleet.worker.tools.httpfetch.RawServer.Page;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Over https, with a server whose certificate is for `secure.example` and trusted by this test alone.
class SecureConnectionsIT {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path folder = Path.of(".");
    private static SSLContext context = none();

    @BeforeAll
    static void makeCertificate() throws Exception {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=secure.example", "-ext",
                "san=dns:secure.example", "-validity", "2", "-storetype", "PKCS12", "-storepass", new String(PASSWORD),
                "-keystore", store.toString()).redirectErrorStream(true).start();
        assertThat(keytool.waitFor()).as(new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isZero();
        context = context(store);
    }

    @Test
    void aTrustedServerIsAnswered() throws Exception {
        try (RawServer server = server(RawServer.answering("200 OK", "secure"))) {
            assertThat(
                    trusting().call("get", "{'url': '" + url("secure.example", server) + "'}").path("body").asString())
                    .isEqualTo("secure");
        }
    }

    @Test
    void aCertificateThatNobodyTrustsIsRefused() throws Exception {
        try (RawServer server = server(RawServer.answering("200 OK", "secure"))) {
            DeclaredTool asShipped = new DeclaredTool("http-fetch", new HttpFetchModule(EgressList.ALL))
                    .configured(HttpFetchIT.LOOPBACK_ALLOWED);
            assertThat(asShipped.failure("get", "{'url': '" + url("127.0.0.1", server) + "'}"))
                    .hasMessageContaining("not secure");
            assertThat(server.seen()).isEmpty();
        }
    }

    @Test
    void aCertificateForAnotherNameIsRefused() throws Exception {
        try (RawServer server = server(RawServer.answering("200 OK", "secure"))) {
            assertThat(trusting().failure("get", "{'url': '" + url("other.example", server) + "'}"))
                    .hasMessageContaining("not secure");
            assertThat(server.seen()).isEmpty();
        }
    }

    @Test
    void aRedirectToHttpIsNotFollowed() throws Exception {
        try (RawServer plain = RawServer.on("127.0.0.1", RawServer.answering("200 OK", "plain"));
                RawServer server = server(RawServer.redirecting(plain.url("/")))) {
            assertThat(trusting().failure("get", "{'url': '" + url("secure.example", server) + "'}").code())
                    .isEqualTo("E_HTTP_REFUSED");
            assertThat(plain.accepted()).isZero();
        }
    }

    private static DeclaredTool trusting() {
        return new DeclaredTool("http-fetch", new HttpFetchModule(InstantSource.system(), System::nanoTime,
                EgressList.ALL,
                new AddressLookup(name -> new InetAddress[]{InetAddress.ofLiteral("127.0.0.1")}, List::of),
                new DefaultClientTlsStrategy(context)))
                .configured(HttpFetchIT.LOOPBACK_ALLOWED);
    }

    private static String url(String host, RawServer server) {
        return "https://" + host + ":" + server.port() + "/";
    }

    private static RawServer server(Page page) throws IOException {
        ServerSocket socket = context.getServerSocketFactory().createServerSocket(0, 50,
                InetAddress.ofLiteral("127.0.0.1"));
        return new RawServer(socket, page);
    }

    private static SSLContext context(Path store) throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory mine = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        mine.init(keys, PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext made = SSLContext.getInstance("TLS");
        made.init(mine.getKeyManagers(), trust.getTrustManagers(), null);
        return made;
    }

    private static SSLContext none() {
        try {
            return SSLContext.getDefault();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
