package dev.toolfleet.gateway.jwt;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.EdECPublicKey;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.sun.net.httpserver.HttpServer;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;

/// Authorization server of a test: keys, the address of the public ones, and signed tokens. Thread-safe.
public final class TestIssuer implements AutoCloseable {
    /// The time at which its tokens are issued; they last for five minutes.
    public static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

    private final List<JWK> keys = new CopyOnWriteArrayList<>();
    private final AtomicInteger fetches = new AtomicInteger();
    private final HttpServer server;
    private final Instant now;

    /// Starts it, without keys.
    public TestIssuer(Instant now) {
        this.now = now;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        server.createContext("/jwks", exchange -> {
            fetches.incrementAndGet();
            byte[] body = jwks().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    /// The issuer's name.
    public String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /// The address of its keys.
    public URI jwksUri() {
        return URI.create(issuer() + "/jwks");
    }

    /// Number of fetches of its keys.
    public int fetches() {
        return fetches.get();
    }

    String jwks() {
        return "{\"keys\":[" + String.join(",", keys.stream().map(key -> key.toPublicJWK().toJSONString()).toList())
                + "]}";
    }

    /// Makes a key for ES256, publishes it, and returns it.
    public ECKey rotated(String kid) {
        return add(ec(Curve.P_256, kid));
    }

    <K extends JWK> K add(K key) {
        keys.add(key);
        return key;
    }

    /// Makes a key that is not published.
    public static ECKey ec(Curve curve, String kid) {
        try {
            return new ECKeyGenerator(curve).keyID(kid).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static RSAKey rsa(int bits, String kid) {
        try {
            return new RSAKeyGenerator(bits, true).keyID(kid).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Claims of a good token, changed by `name, value, …`; null removes a claim.
    public Map<String, Object> claims(@Nullable Object... changes) {
        Map<String, Object> claims = new TreeMap<>(Map.of("iss", issuer(), "sub", "ann", "aud", "https://fleet.example",
                "exp", now.getEpochSecond() + 300, "iat", now.getEpochSecond()));
        for (int i = 0; i < changes.length; i += 2) {
            if (changes[i + 1] == null)
                claims.remove(changes[i]);
            else
                claims.put((String) changes[i], changes[i + 1]);
        }
        return claims;
    }

    /// Signs claims.
    public static String sign(JWK key, JWSAlgorithm algorithm, Map<String, Object> claims) {
        return sign(new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), key, claims);
    }

    static String sign(JWSHeader header, JWK key, Map<String, Object> claims) {
        try {
            JWSSigner signer = key instanceof RSAKey rsa
                    ? new RSASSASigner(rsa, Set.of(AllowWeakRSAKey.getInstance()))
                    : new ECDSASigner((ECKey) key);
            JWSObject jws = new JWSObject(header, new Payload(Json.MAPPER.writeValueAsString(claims)));
            jws.sign(signer);
            return jws.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /// A token with this header and content, and a signature that anyone can write.
    static String unsigned(String header, String claims, String signature) {
        return encode(header) + "." + encode(claims) + "." + signature;
    }

    static String encode(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Key pair of Ed25519 and its JWK.
    record Edwards(KeyPair pair, String jwk) {
        static Edwards of(String kid) throws Exception {
            KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            byte[] encoded = ((EdECPublicKey) pair.getPublic()).getEncoded();
            byte[] x = java.util.Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
            return new Edwards(pair, "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"" + kid + "\",\"x\":\""
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(x) + "\"}");
        }

        String sign(String algorithm, String kid, Map<String, Object> claims) throws Exception {
            return signed("{\"alg\":\"" + algorithm + "\",\"kid\":\"" + kid + "\"}", claims);
        }

        String signed(String header, Map<String, Object> claims) throws Exception {
            String input = encode(header) + "." + encode(Json.MAPPER.writeValueAsString(claims));
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(pair.getPrivate());
            signature.update(input.getBytes(StandardCharsets.US_ASCII));
            return input + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
