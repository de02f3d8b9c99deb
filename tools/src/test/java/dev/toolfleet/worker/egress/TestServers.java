package dev.toolfleet.worker.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import dev.toolfleet.worker.egress.EgressRules.Bounds;

/// Servers and names for tests of the way out. `127.0.0.2` stands for the public internet, `127.0.0.1` for this machine.
public final class TestServers implements AutoCloseable {
    /// The address that may be reached.
    public static final String PUBLIC = "127.0.0.2";

    private final Map<String, List<String>> names = new ConcurrentHashMap<>();
    private final List<String> lookups = new CopyOnWriteArrayList<>();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    /// A server on the public address that answers with what it was asked.
    public TestServers() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral(PUBLIC), 0), 50);
        server.createContext("/", this::echo);
        server.start();
    }

    private TestServers(Path files) {
        server = SimpleFileServer.createFileServer(new InetSocketAddress(InetAddress.ofLiteral(PUBLIC), 0), files,
                SimpleFileServer.OutputLevel.NONE);
        server.start();
    }

    /// A server on the public address with the files of a folder.
    public static TestServers of(Path files) {
        return new TestServers(files.toAbsolutePath());
    }

    private void echo(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String line = exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + exchange.getRequestHeaders().getFirst("Host") + " " + body;
        seen.add(line.strip());
        byte[] answer = (line.strip() + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    /// Its port.
    public int port() {
        return server.getAddress().getPort();
    }

    /// The requests that it saw: method, path, host and body.
    public List<String> seen() {
        return seen;
    }

    /// The names that were looked up.
    public List<String> lookups() {
        return lookups;
    }

    /// Gives a name an address for its next look-up; the last one stays.
    public TestServers named(String name, String... addresses) {
        names.put(name, new ArrayList<>(List.of(addresses)));
        return this;
    }

    /// Rules with these hosts, and bounds that no test reaches by itself.
    public EgressRules rules(String... allow) {
        return rules(new Bounds(8, 1 << 20, Duration.ofMinutes(1), Duration.ofMinutes(1)), allow);
    }

    EgressRules rules(Bounds bounds, String... allow) {
        return new EgressRules(EgressList.of(List.of(allow)),
                new AddressRules(List.of(AddressRange.parse(PUBLIC)), List.of()),
                new AddressLookup(this::lookUp, List::of),
                bounds);
    }

    private InetAddress[] lookUp(String name) throws UnknownHostException {
        lookups.add(name);
        List<String> answers = names.get(name);
        if (answers == null)
            throw new UnknownHostException(name);
        String now = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
        return new InetAddress[]{InetAddress.ofLiteral(now)};
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
