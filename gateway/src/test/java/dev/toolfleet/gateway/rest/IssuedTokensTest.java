package dev.toolfleet.gateway.rest;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import dev.toolfleet.gateway.access.AccessConfig;
import dev.toolfleet.gateway.access.Principals;
import dev.toolfleet.gateway.jwt.TestIssuer;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// Requests with JWTs of an authorization server.
class IssuedTokensTest {
    private static final String PATH = "/v1/instances/i-ann/agents/coder/calls";
    private static final String CALL = "{\"name\":\"n\"}";
    private static final String PUBLIC_URL = "https://fleet.example/tools";
    private static final String METADATA = "https://fleet.example/.well-known/oauth-protected-resource/tools";

    private final MemoryFleet fleet = new MemoryFleet();
    private final TestIssuer issuer = new TestIssuer(Instant.now());
    private final ECKey key = issuer.rotated("k1");
    private final TestGateway gateway = gateway(Map.of());

    private TestGateway gateway(Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(Map.of("staff.jwt.issuer", issuer.issuer(),
                "staff.jwt.jwksUri", issuer.jwksUri().toString(), "staff.jwt.audience", PUBLIC_URL,
                "staff.jwt.instancesClaim", "instances", "staff.jwt.userIdClaim", "sub", "staff.scopes",
                "tools:call, tools:list", "robot.tokenHash", TestGateway.hash("robot"), "robot.scopes", "tools:call"));
        settings.putAll(more);
        return new TestGateway(fleet, fleet.calls,
                AccessConfig.of(Principals.of(settings), PUBLIC_URL, TestGateway.LIMITS), "", WebhookConfig.NONE);
    }

    @AfterEach
    void close() {
        gateway.close();
        issuer.close();
    }

    private String token(ECKey by, Object... changes) {
        Map<String, Object> claims = issuer.claims("aud", PUBLIC_URL, "scope", "openid tools:call", "instances",
                "i-ann");
        for (int i = 0; i < changes.length; i += 2)
            claims.put((String) changes[i], changes[i + 1]);
        return TestIssuer.sign(by, JWSAlgorithm.ES256, claims);
    }

    private HttpResponse<String> call(String path, String token) {
        return gateway.post(path, CALL, "Authorization", "Bearer " + token, "Idempotency-Key", "k");
    }

    @Test
    void aTokenActsForItsSubjectWithinItsClaims() {
        HttpResponse<String> answer = call(PATH, token(key));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(fleet.sent).hasSize(1);
        assertThat(fleet.sent.getFirst().userId()).isEqualTo("ann");
        assertThat(call(PATH.replace("i-ann", "i-bob"), token(key)).statusCode()).isEqualTo(403);
        assertThat(call(PATH, token(key, "instances", Map.of())).statusCode()).as("a claim that is no text")
                .isEqualTo(403);
        assertThat(call(PATH, "robot").statusCode()).as("a token of the settings beside it").isEqualTo(200);
        assertThat(fleet.run).hasSize(2);
    }

    @Test
    void aRefusalLeadsToTheMetadataAndTheScopes() {
        HttpResponse<String> none = gateway.post(PATH, CALL);

        assertThat(none.statusCode()).isEqualTo(401);
        assertThat(header(none, "WWW-Authenticate")).startsWith("Bearer ").contains("scope=\"tools:list tools:call\"",
                "resource_metadata=\"" + METADATA + "\"").doesNotContain("error=");
        HttpResponse<String> expired = call(PATH, token(key, "exp", Instant.now().getEpochSecond() - 120));
        assertThat(expired.statusCode()).isEqualTo(401);
        assertThat(header(expired, "WWW-Authenticate")).contains("error=\"invalid_token\"", "has expired", METADATA);
        for (String wrong : new String[]{token(key, "aud", "https://other.example"),
                token(key, "aud", PUBLIC_URL + "2"),
                token(TestIssuer.ec(Curve.P_256, "k1")), "a.b.c", "wrong"})
            assertThat(call(PATH, wrong).statusCode()).as(wrong).isEqualTo(401);
        assertThat(fleet.sent).isEmpty();
        assertThat(gateway.rejections()).extracting(each -> each.tag()).containsExactly("no-token", "jwt-expired",
                "jwt-audience", "jwt-audience", "jwt-signature", "jwt-malformed", "jwt-malformed");
    }

    @Test
    void aScopeThatTheTokenLacksIsNamed() {
        HttpResponse<String> answer = call(PATH, token(key, "scope", "tools:list fleet:operate"));

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(header(answer, "WWW-Authenticate")).contains("error=\"insufficient_scope\"",
                "scope=\"tools:call\"", METADATA);
        HttpResponse<String> metrics = gateway.get("/v1/errors", "Authorization",
                "Bearer " + token(key, "scope", "fleet:read"));
        assertThat(metrics.statusCode()).as("a scope that the entry does not grant").isEqualTo(403);
        assertThat(fleet.sent).isEmpty();
    }

    @Test
    void metadataNeedNoTokenAndNameIssuerAndAudience() throws Exception {
        HttpResponse<String> answer = gateway.get("/.well-known/oauth-protected-resource");

        assertThat(answer.statusCode()).isEqualTo(200);
        JsonNode metadata = json(answer);
        assertThat(metadata.path("resource").asString()).isEqualTo(PUBLIC_URL);
        assertThat(metadata.path("authorization_servers").get(0).asString()).isEqualTo(issuer.issuer());
        assertThat(metadata.path("scopes_supported").toString()).contains("tools:call", "approvals:decide");
        HttpResponse<String> part = gateway.client().send(HttpRequest.newBuilder(
                URI.create(gateway.url() + "/.well-known/oauth-protected-resource/tools/v1")).build(),
                BodyHandlers.ofString());
        assertThat(Json.MAPPER.readTree(part.body()).path("resource").asString()).isEqualTo(PUBLIC_URL + "/v1");
    }

    @Test
    void withoutJwtsThereAreNoMetadata() {
        Map<String, String> settings = Map.of("a.tokenHash", TestGateway.hash("t"), "a.scopes", "tools:call");
        try (TestGateway plain = new TestGateway(fleet, fleet.calls, settings, "t")) {
            assertThat(plain.get("/.well-known/oauth-protected-resource").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void theIssuersNewKeyIsFetchedAndMadeUpOnesFloodNobody() {
        assertThat(call(PATH, token(key)).statusCode()).isEqualTo(200);
        for (int i = 0; i < 20; i++)
            assertThat(call(PATH, token(TestIssuer.ec(Curve.P_256, "made-up-" + i))).statusCode()).isIn(401, 503);

        assertThat(issuer.fetches()).isLessThanOrEqualTo(2);
        assertThat(call(PATH, token(key)).statusCode()).as("known keys go on").isEqualTo(200);
    }

    @Test
    void anIssuerThatIsAwayIsATemporaryState() {
        String token = token(key);
        issuer.close();

        HttpResponse<String> answer = call(PATH, token);

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(header(answer, "Retry-After")).isNotEmpty();
        assertThat(fleet.sent).isEmpty();
        assertThat(call(PATH, "robot").statusCode()).isEqualTo(200);
    }
}
