package dev.toolfleet.oauth.testserver;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Authorization server of tests: RFC 6749 with PKCE (7636), `iss` (9207), the device flow (8628), revocation (7009) and a
/// person's address. Its faults are chosen by the test.
///
/// **Contract.** It refuses what the RFCs refuse: a code that was used or that another verifier, client or redirect
/// presents; a refresh token that was used, with all tokens of its family; a wrong secret.
///
/// **Threads.** Thread-safe.
public final class TestAuthorizationServer implements AutoCloseable {
    public static final String CLIENT = "toolfleet";
    public static final String SECRET = "s3cret-of-the-client";

    private final HttpServer server;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<String, Code> codes = new ConcurrentHashMap<>();
    private final Map<String, Family> refreshTokens = new ConcurrentHashMap<>();
    private final Map<String, String> accessTokens = new ConcurrentHashMap<>();
    private final Map<String, String> devices = new ConcurrentHashMap<>();
    private final Deque<Fault> faults = new ConcurrentLinkedDeque<>();
    private final Deque<Integer> personFaults = new ConcurrentLinkedDeque<>();
    private final Deque<Integer> revocationFaults = new ConcurrentLinkedDeque<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> secrets = new CopyOnWriteArrayList<>();
    private volatile long lifetime = 3600;
    private volatile @Nullable CountDownLatch held;
    private volatile boolean holding;

    private record Code(String person, String challenge, String redirect, String scope) {}

    private record Family(String person, String scope, AtomicInteger uses) {}

    /// Fault of the next answer of the token endpoint.
    ///
    /// @param status the status
    /// @param body the body
    public record Fault(int status, String body) {}

    /// Starts on a free port of this machine.
    public TestAuthorizationServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/auth", this::authorize);
        server.createContext("/token", this::token);
        server.createContext("/device", this::device);
        server.createContext("/revoke", this::revoke);
        server.createContext("/me", this::me);
        server.start();
    }

    /// Returns its address, which is its issuer.
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /// Sets the life of access tokens that are made from now on, in seconds.
    public void lifetime(long seconds) {
        lifetime = seconds;
    }

    /// Lets the next answers of the token endpoint fail, one after the other.
    public void fail(Fault... next) {
        faults.addAll(List.of(next));
    }

    /// Lets the next answers about persons have these statuses.
    public void failPerson(Integer... statuses) {
        personFaults.addAll(List.of(statuses));
    }

    /// Lets the next answers to revocations have these statuses.
    public void failRevocation(Integer... statuses) {
        revocationFaults.addAll(List.of(statuses));
    }

    /// Holds the next request to the token endpoint until the latch is released, and then drops it unread.
    public CountDownLatch hold() {
        CountDownLatch latch = new CountDownLatch(1);
        held = latch;
        return latch;
    }

    /// True while a request is held.
    public boolean isHolding() {
        return holding;
    }

    /// Returns the grant types of all requests to the token endpoint.
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /// Returns all tokens and codes that it has made, none of which may be seen anywhere.
    public List<String> secrets() {
        return List.copyOf(secrets);
    }

    /// True if the access token is valid here.
    public boolean isValid(String accessToken) {
        return accessTokens.containsKey(accessToken);
    }

    /// Returns the person of a valid access token; null for another.
    public @Nullable String person(String accessToken) {
        return accessTokens.get(accessToken);
    }

    /// Lets a person authorize.
    ///
    /// @param authorizationUrl as the fleet gave it
    /// @return the address to which the browser is sent back
    public URI authorize(String authorizationUrl, String person) {
        Map<String, String> query = form(URI.create(authorizationUrl).getRawQuery());
        require(query, "response_type", "code");
        require(query, "client_id", CLIENT);
        require(query, "code_challenge_method", "S256");
        String code = made("code");
        codes.put(code, new Code(person, query.getOrDefault("code_challenge", ""),
                query.getOrDefault("redirect_uri", ""), query.getOrDefault("scope", "")));
        return back(query, "code=" + code);
    }

    /// Lets a person decline.
    public URI decline(String authorizationUrl) {
        Map<String, String> query = form(URI.create(authorizationUrl).getRawQuery());
        return back(query, "error=access_denied&error_description=No%2C+thanks.");
    }

    private URI back(Map<String, String> query, String answer) {
        return URI.create(query.getOrDefault("redirect_uri", "") + "?" + answer + "&state="
                + URLEncoder.encode(query.getOrDefault("state", ""), StandardCharsets.UTF_8) + "&iss="
                + URLEncoder.encode(url(), StandardCharsets.UTF_8));
    }

    /// Lets a person enter the code of a device.
    public void enter(String userCode, String person) {
        devices.put(userCode, person);
    }

    private static void require(Map<String, String> query, String name, String value) {
        if (!value.equals(query.get(name)))
            throw new AssertionError(name + " is " + query.get(name) + ", not " + value);
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> query = form(exchange.getRequestURI().getRawQuery());
        URI back = authorize(url() + "/auth?" + exchange.getRequestURI().getRawQuery(),
                query.getOrDefault("login_hint", "ann"));
        exchange.getResponseHeaders().set("Location", back.toString());
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void token(HttpExchange exchange) throws IOException {
        CountDownLatch latch = held;
        if (latch != null) {
            held = null;
            holding = true;
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                holding = false;
            }
            exchange.close();
            return;
        }
        Map<String, String> form = form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        requests.add(form.getOrDefault("grant_type", ""));
        Fault fault = faults.poll();
        if (fault != null) {
            answer(exchange, fault.status(), fault.body());
        } else if (!isClient(exchange)) {
            answer(exchange, 401, "{\"error\":\"invalid_client\"}");
        } else {
            switch (form.getOrDefault("grant_type", "")) {
                case "authorization_code" -> code(exchange, form);
                case "refresh_token" -> refresh(exchange, form);
                case "urn:ietf:params:oauth:grant-type:device_code" -> deviceToken(exchange, form);
                default -> answer(exchange, 400, "{\"error\":\"unsupported_grant_type\"}");
            }
        }
    }

    private static boolean isClient(HttpExchange exchange) {
        String expected = "Basic " + Base64.getEncoder()
                .encodeToString((CLIENT + ":" + SECRET).getBytes(StandardCharsets.UTF_8));
        return expected.equals(exchange.getRequestHeaders().getFirst("Authorization"));
    }

    private void code(HttpExchange exchange, Map<String, String> form) throws IOException {
        Code code = codes.remove(form.getOrDefault("code", ""));
        if (code == null || !code.redirect().equals(form.get("redirect_uri"))
                || !code.challenge().equals(challenge(form.getOrDefault("code_verifier", ""))))
            answer(exchange, 400, "{\"error\":\"invalid_grant\"}");
        else
            tokens(exchange, code.person(), code.scope());
    }

    private void refresh(HttpExchange exchange, Map<String, String> form) throws IOException {
        Family family = refreshTokens.get(form.getOrDefault("refresh_token", ""));
        // RFC 9700 4.14: a refresh token that is used twice ends all tokens of its family.
        if (family == null || family.uses().getAndIncrement() > 0) {
            if (family != null)
                accessTokens.values().removeIf(family.person()::equals);
            answer(exchange, 400, "{\"error\":\"invalid_grant\"}");
        } else {
            tokens(exchange, family.person(), family.scope());
        }
    }

    private void deviceToken(HttpExchange exchange, Map<String, String> form) throws IOException {
        String person = devices.get(form.getOrDefault("device_code", "").replace("device-", "USER-"));
        if (person == null)
            answer(exchange, 400, "{\"error\":\"authorization_pending\"}");
        else
            tokens(exchange, person, "read");
    }

    private void tokens(HttpExchange exchange, String person, String scope) throws IOException {
        String access = made("access");
        String refresh = made("refresh");
        accessTokens.put(access, person);
        refreshTokens.put(refresh, new Family(person, scope, new AtomicInteger()));
        ObjectNode body = Json.MAPPER.createObjectNode().put("access_token", access).put("token_type", "bearer")
                .put("expires_in", lifetime).put("refresh_token", refresh).put("scope", scope);
        answer(exchange, 200, body.toString());
    }

    private String made(String kind) {
        byte[] random = new byte[18];
        ThreadLocalRandom.current().nextBytes(random);
        String made = kind + "-" + numbers.incrementAndGet() + "-"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        secrets.add(made);
        return made;
    }

    private void device(HttpExchange exchange) throws IOException {
        int number = numbers.incrementAndGet();
        answer(exchange, 200, Json.MAPPER.createObjectNode().put("device_code", "device-" + number)
                .put("user_code", "USER-" + number).put("verification_uri", url() + "/enter").put("expires_in", 600)
                .put("interval", 1).toString());
    }

    private void revoke(HttpExchange exchange) throws IOException {
        Map<String, String> form = form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Integer fault = revocationFaults.poll();
        if (fault != null) {
            answer(exchange, fault, "{}");
            return;
        }
        Family family = refreshTokens.remove(form.getOrDefault("token", ""));
        if (family != null)
            accessTokens.values().removeIf(family.person()::equals);
        answer(exchange, 200, "");
    }

    private void me(HttpExchange exchange) throws IOException {
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        String person = header == null ? null : accessTokens.get(header.replace("Bearer ", ""));
        Integer fault = personFaults.poll();
        if (fault != null)
            answer(exchange, fault, "{}");
        else if (person == null)
            answer(exchange, 401, "{}");
        else
            answer(exchange, 200, Json.MAPPER.createObjectNode().put("sub", person).toString());
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String challenge(String verifier) {
        try {
            return Base64.getUrlEncoder().withoutPadding().encodeToString(
                    MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Returns the fields of a form or a query.
    public static Map<String, String> form(@Nullable String encoded) {
        Map<String, String> fields = new HashMap<>();
        if (encoded == null)
            return fields;
        for (String pair : encoded.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0)
                fields.put(URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return fields;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
