package dev.toolfleet.worker.egress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.worker.egress.EgressRules.Bounds;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The proxy by itself, spoken to as a command speaks to it.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EgressProxyIT {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration BRIEF = Duration.ofMillis(100);

    private final TestServers servers;
    private final List<EgressProxies> opened = new ArrayList<>();

    EgressProxyIT() throws IOException {
        servers = new TestServers().named("ok.example", TestServers.PUBLIC);
    }

    @AfterEach
    void close() {
        opened.forEach(EgressProxies::close);
        servers.close();
    }

    @Test
    void aHostOnTheListIsReachedOverHttp() throws Exception {
        EgressProxies proxies = proxies(servers.rules(here()));
        String answer = talk(proxies, "GET http://ok.example:" + servers.port()
                + "/path?q HTTP/1.1\r\nHost: evil.example\r\nAccept: */*\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200").contains("GET /path?q " + here());
        assertThat(proxies.counts().allowed()).isEqualTo(1);
    }

    @Test
    void aHostOnTheListIsReachedThroughATunnel() throws Exception {
        String answer = talk(proxies(servers.rules(here())), "CONNECT " + here()
                + " HTTP/1.1\r\n\r\nGET /in HTTP/1.1\r\nHost: ok.example\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK")
                .contains("GET /in ok.example");
    }

    /// Otherwise: a server with many hosts serves one that is not on the list, at the address of one that is.
    @Test
    void aTunnelWithTlsForAnotherHostIsRefused() throws Exception {
        for (byte[] hello : List.of(Hellos.named("other.example"), Hellos.unnamed(), new byte[]{22, 2, 0, 0, 1, 1})) {
            Heard heard = tunnel("ok.example", hello);

            assertThat(heard.byServer()).as("the server hears nothing").isEmpty();
            assertThat(heard.byClient()).as("the alert of TLS that the name is not known")
                    .endsWith("established\r\n\r\n\u0015\u0003\u0003\0\u0002\u0002p");
            assertThat(heard.refused()).isEqualTo(1);
        }
    }

    @Test
    void aTunnelWithTlsForItsHostIsCarriedAsItIs() throws Exception {
        for (byte[] hello : List.of(Hellos.named("ok.example"), Hellos.named("OK.example"),
                Hellos.inRecords(Hellos.named("ok.example"), 7)))
            assertThat(tunnel("ok.example", hello)).isEqualTo(new Heard(latin(hello),
                    "HTTP/1.1 200 Connection established\r\n\r\n", 0));
        assertThat(tunnel(TestServers.PUBLIC, Hellos.unnamed()).byServer()).as("an address has no name").isNotEmpty();
        assertThat(tunnel(TestServers.PUBLIC, Hellos.named("ok.example")).byServer()).isEmpty();
    }

    /// Ends of a tunnel.
    private record Heard(String byServer, String byClient, long refused) {}

    /// Sends these bytes through a tunnel to this host, in two parts, and ends it.
    private Heard tunnel(String host, byte[] sent) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.ofLiteral(TestServers.PUBLIC))) {
            CompletableFuture<String> heard = CompletableFuture.supplyAsync(() -> latin(all(server)));
            String to = host + ":" + server.getLocalPort();
            EgressProxies proxies = proxies(servers.rules(to));
            try (EgressProxy proxy = proxies.open(); SocketChannel client = connected(proxy)) {
                send(client, "CONNECT " + to + " HTTP/1.1\r\n\r\n");
                int half = sent.length / 2;
                client.write(ByteBuffer.wrap(sent, 0, half));
                client.write(ByteBuffer.wrap(sent, half, sent.length - half));
                client.shutdownOutput();
                String answer = rest(client);
                return new Heard(heard.get(1, TimeUnit.MINUTES), answer, proxies.counts().refused());
            }
        }
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static byte[] all(ServerSocket server) {
        try (Socket socket = server.accept()) {
            return socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void bodiesOfAKnownLengthAndInChunksArrive() throws Exception {
        EgressProxies proxies = proxies(servers.rules(here()));
        talk(proxies, "POST http://" + here() + "/ HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc");
        talk(proxies, "POST http://" + here() + "/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2\r\nde\r\n1\r\nf\r\n0\r\n\r\n");

        assertThat(servers.seen()).containsExactly("POST / " + here() + " abc", "POST / " + here() + " def");
    }

    @Test
    void chunksArriveAsTheyWereSentAndNothingBehindThem() throws Exception {
        String chunks = "2;x=y\r\nde\r\n0\r\nTrailer: 1\r\n\r\n";
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.ofLiteral(TestServers.PUBLIC))) {
            CompletableFuture<String> heard = CompletableFuture.supplyAsync(() -> hear(server, chunks));
            String host = "ok.example:" + server.getLocalPort();
            String answer = talk(proxies(servers.rules(host)), "POST http://" + host
                    + "/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + "GET http://" + host + "/more");

            assertThat(heard.get(1, TimeUnit.MINUTES)).startsWith("POST / HTTP/1.1\r\n").endsWith("\r\n\r\n" + chunks);
            assertThat(answer).isEqualTo("HTTP/1.1 200 OK\r\n\r\n");
        }
    }

    @Test
    void aSecondRequestBehindTheFirstGoesNowhere() throws Exception {
        talk(proxies(servers.rules(here())), "POST http://" + here() + "/first HTTP/1.1\r\nContent-Length: 1\r\n\r\nx"
                + "GET http://other.example/second HTTP/1.1\r\n\r\n");

        assertThat(servers.seen()).containsExactly("POST /first " + here() + " x");
        assertThat(servers.lookups()).containsExactly("ok.example");
    }

    @Test
    void anotherHostIsRefusedInWordsAndNotLookedUp() throws Exception {
        EgressProxies proxies = proxies(servers.rules(here()));
        for (String request : List.of("GET http://other.example/ HTTP/1.1\r\n\r\n",
                "CONNECT other.example:443 HTTP/1.1\r\n\r\n"))
            assertThat(talk(proxies, request)).startsWith("HTTP/1.1 403 toolfleet: The host 'other.example', port ")
                    .contains("(worker.egress.allow).\n");
        assertThat(talk(proxies, "CONNECT ok.example:22 HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 403");

        assertThat(servers.lookups()).isEmpty();
        assertThat(proxies.counts().refused()).isEqualTo(3);
    }

    @Test
    void addressesOfThisMachineAreRefusedWhateverTheirName() throws Exception {
        servers.named("inner.example", "10.0.0.1").named("local.example", "127.0.0.1");
        EgressProxies proxies = proxies(servers.rules("*.example", "127.0.0.1", "[::1]", "169.254.169.254"));
        for (String host : List.of("inner.example", "local.example", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]",
                "169.254.169.254"))
            assertThat(talk(proxies, "CONNECT " + host + ":443 HTTP/1.1\r\n\r\n")).as(host)
                    .startsWith("HTTP/1.1 403");
        String inner = talk(proxies, "CONNECT inner.example:443 HTTP/1.1\r\n\r\n");
        String none = talk(proxies, "CONNECT never.example:443 HTTP/1.1\r\n\r\n");
        assertThat(none.replace("never", "inner")).isEqualTo(inner);
    }

    /// The first answer is checked and used; the second, which leads to this machine, is never asked for.
    @Test
    void aNameThatIsRebornAsLoopbackIsConnectedWhereItWasChecked() throws Exception {
        servers.named("rebind.example", TestServers.PUBLIC, "127.0.0.1");
        EgressProxies proxies = proxies(servers.rules("rebind.example:" + servers.port()));
        String request = "GET http://rebind.example:" + servers.port() + "/ HTTP/1.1\r\n\r\n";

        assertThat(talk(proxies, request)).startsWith("HTTP/1.1 200");
        assertThat(servers.lookups()).containsExactly("rebind.example");
        assertThat(talk(proxies, request)).startsWith("HTTP/1.1 403");
    }

    @Test
    void aServerThatIsNotThereIsNoRefusal() throws Exception {
        EgressProxies proxies = proxies(servers.rules("ok.example:1"));
        assertThat(talk(proxies, "CONNECT ok.example:1 HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 502");
        assertThat(proxies.counts().failed()).isEqualTo(1);
    }

    @Test
    void whatIsNoRequestIsAnsweredAndEnds() throws Exception {
        EgressProxies proxies = proxies(servers.rules(here()));
        assertThat(talk(proxies, "SSH-2.0-OpenSSH\r\n\r\n")).startsWith("HTTP/1.1 400");
        assertThat(talk(proxies, "GET http://" + here() + "/ HTTP/1.1\r\nX: " + "x".repeat(20_000)))
                .startsWith("HTTP/1.1 400");
    }

    @Test
    void aHalfSentRequestIsEnded() throws Exception {
        EgressProxies proxies = proxies(servers.rules(new Bounds(8, 1 << 20, BRIEF, LONG), here()));
        try (EgressProxy proxy = proxies.open(); SocketChannel client = connected(proxy)) {
            send(client, "GET http://");
            assertThat(rest(client)).isEmpty();
            Awaitility.await().until(() -> proxy.connections() == 0);
        }
    }

    @Test
    void aSilentConnectionIsEnded() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.ofLiteral(TestServers.PUBLIC))) {
            EgressProxies proxies = proxies(servers.rules(new Bounds(8, 1 << 20, LONG, BRIEF),
                    "ok.example:" + silent.getLocalPort()));
            assertThat(talk(proxies, "CONNECT ok.example:" + silent.getLocalPort() + " HTTP/1.1\r\n\r\n"))
                    .isEqualTo("HTTP/1.1 200 Connection established\r\n\r\n");
        }
    }

    @Test
    void aCommandThatHasMovedItsBytesGetsNoMore() throws Exception {
        try (ServerSocket endless = new ServerSocket(0, 5, InetAddress.ofLiteral(TestServers.PUBLIC))) {
            Thread.ofVirtual().start(() -> sendForEver(endless));
            EgressProxies proxies = proxies(servers.rules(new Bounds(8, 100_000, LONG, LONG),
                    "ok.example:" + endless.getLocalPort()));
            String connect = "CONNECT ok.example:" + endless.getLocalPort() + " HTTP/1.1\r\n\r\n";
            try (EgressProxy proxy = proxies.open()) {
                assertThat(talk(proxy, connect).length()).isLessThanOrEqualTo(100_100);
                assertThat(talk(proxy, connect)).startsWith("HTTP/1.1 403").contains("worker.egress.maxBytes");
            }
        }
    }

    @Test
    void aCommandHasSoManyConnectionsAtATime() throws Exception {
        EgressProxies proxies = proxies(servers.rules(new Bounds(2, 1 << 20, LONG, LONG), here()));
        try (EgressProxy proxy = proxies.open(); SocketChannel second = connected(proxy)) {
            SocketChannel first = connected(proxy);
            Awaitility.await().until(() -> proxy.connections() == 2);
            assertThat(talk(proxy, "")).startsWith("HTTP/1.1 503");
            first.close();
            Awaitility.await().until(() -> proxy.connections() == 1);
            assertThat(talk(proxy, "GET http://" + here() + "/ HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200");
            assertThat(second.isOpen()).isTrue();
        }
    }

    @Test
    void aProxyEndsWithItsCommandAndAnotherGoesOn() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.ofLiteral(TestServers.PUBLIC))) {
            Thread.ofVirtual().start(() -> readToTheEnd(silent, reached));
            EgressProxies proxies = proxies(servers.rules("ok.example:" + silent.getLocalPort(), here()));
            EgressProxy ending = proxies.open();
            EgressProxy other = proxies.open();
            SocketChannel client = connected(ending);
            send(client, "CONNECT ok.example:" + silent.getLocalPort() + " HTTP/1.1\r\n\r\n");
            Awaitility.await().until(() -> proxies.counts().allowed() == 1);

            ending.close();

            assertThat(rest(client)).isIn("", "HTTP/1.1 200 Connection established\r\n\r\n");
            assertThat(reached.await(1, TimeUnit.MINUTES)).as("the server sees the end").isTrue();
            assertThat(ending.socket()).doesNotExist();
            assertThatThrownBy(() -> connected(ending)).isInstanceOf(IOException.class);
            assertThat(talk(other, "GET http://" + here() + "/ HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void nobodyElseEntersTheFolderOfTheSockets() throws Exception {
        EgressProxies proxies = proxies(servers.rules(here()));
        try (EgressProxy proxy = proxies.open()) {
            assertThat(Files.getPosixFilePermissions(proxy.socket().resolveSibling(""))).hasSize(3)
                    .allMatch(permission -> permission.name().startsWith("OWNER"));
        }
        proxies.close();
    }

    private String here() {
        return "ok.example:" + servers.port();
    }

    private EgressProxies proxies(EgressRules rules) {
        EgressProxies proxies = new EgressProxies(rules);
        opened.add(proxies);
        return proxies;
    }

    private static String talk(EgressProxies proxies, String request) throws IOException {
        try (EgressProxy proxy = proxies.open()) {
            return talk(proxy, request);
        }
    }

    private static String talk(EgressProxy proxy, String request) throws IOException {
        try (SocketChannel client = connected(proxy)) {
            send(client, request);
            return rest(client);
        }
    }

    private static SocketChannel connected(EgressProxy proxy) throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(proxy.socket()));
    }

    private static void send(SocketChannel client, String request) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1));
        while (bytes.hasRemaining())
            client.write(bytes);
    }

    /// All that comes, until the proxy ends the connection.
    private static String rest(SocketChannel client) throws IOException {
        StringBuilder all = new StringBuilder();
        byte[] some = new byte[8192];
        try {
            var in = Channels.newInputStream(client);
            for (int n = in.read(some); n >= 0; n = in.read(some))
                all.append(new String(some, 0, n, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return all.toString(); // Ended before it had read all that was sent.
        }
        return all.toString();
    }

    /// Reads until the given end, answers, and returns everything up to the end of the connection.
    private static String hear(ServerSocket server, String end) {
        StringBuilder heard = new StringBuilder();
        try (Socket socket = server.accept()) {
            while (heard.indexOf(end) < 0)
                heard.append((char) socket.getInputStream().read());
            socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return heard.append(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void sendForEver(ServerSocket server) {
        while (true) {
            try (Socket socket = server.accept()) {
                while (true)
                    socket.getOutputStream().write(new byte[10_000]);
            } catch (IOException e) {
                if (server.isClosed())
                    return;
            }
        }
    }

    private static void readToTheEnd(ServerSocket server, CountDownLatch ended) {
        try (Socket socket = server.accept()) {
            socket.getInputStream().readAllBytes();
            ended.countDown();
        } catch (IOException e) {
            ended.countDown();
        }
    }
}
