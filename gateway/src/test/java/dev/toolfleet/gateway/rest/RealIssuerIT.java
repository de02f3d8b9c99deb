package dev.toolfleet.gateway.rest;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;

import dev.toolfleet.gateway.access.AccessConfig;
import dev.toolfleet.gateway.access.Principals;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// Tokens of an authorization server that the fleet's authors did not write.
class RealIssuerIT {
    private static final String PATH = "/v1/instances/i/agents/coder/calls";
    private static final String CALL = "{\"name\":\"n\"}";
    private static final String PUBLIC_URL = "https://fleet.example/tools";
    private static final String FOLDER = System.getenv().getOrDefault("OIDC_SERVER", "");

    private final MemoryFleet fleet = new MemoryFleet();

    @ParameterizedTest
    @ValueSource(strings = {"ES256", "RS256", "PS256"})
    void itsTokensAreTakenForWhatTheySay(String algorithm) throws Exception {
        Assumptions.assumeFalse(FOLDER.isEmpty(),
                "OIDC_SERVER is not set: .ci/oidc installs oidc-provider of npm and sets it");
        AuthorizationServer server = new AuthorizationServer(Path.of(FOLDER), PUBLIC_URL, algorithm);
        try (TestGateway gateway = gateway(server)) {
            String good = server.token(PUBLIC_URL, "tools:call");
            assertThat(call(gateway, good).statusCode()).isEqualTo(200);
            assertThat(fleet.sent.getFirst().userId()).isEqualTo("robot");

            HttpResponse<String> lacking = call(gateway, server.token(PUBLIC_URL, "tools:list"));
            assertThat(lacking.statusCode()).isEqualTo(403);
            assertThat(header(lacking, "WWW-Authenticate")).contains("insufficient_scope", "scope=\"tools:call\"");
            HttpResponse<String> foreign = call(gateway, server.token("https://other.example", "tools:call"));
            assertThat(foreign.statusCode()).isEqualTo(401);
            assertThat(header(foreign, "WWW-Authenticate")).contains("invalid_token", "another audience");
            int last = good.length() - 20;
            char changed = good.charAt(last) == 'A' ? 'B' : 'A';
            assertThat(call(gateway, good.substring(0, last) + changed + good.substring(last + 1)).statusCode())
                    .isEqualTo(401);
            assertThat(json(gateway.get("/.well-known/oauth-protected-resource")).path("authorization_servers").get(0)
                    .asString()).isEqualTo(server.issuer());

            server.close();
            assertThat(call(gateway, good).statusCode()).as("known keys last while the server is away").isEqualTo(200);
            assertThat(fleet.sent).as("the same key is the same call").hasSize(1);
        } finally {
            server.close();
        }
    }

    private TestGateway gateway(AuthorizationServer server) throws Exception {
        Map<String, String> settings = Map.of("staff.jwt.issuer", server.issuer(), "staff.jwt.jwksUri", server.keys(),
                "staff.jwt.audience", PUBLIC_URL, "staff.jwt.userIdClaim", "client_id", "staff.scopes", "tools:call");
        return new TestGateway(fleet, fleet.calls,
                AccessConfig.of(Principals.of(settings), PUBLIC_URL, TestGateway.LIMITS), "", WebhookConfig.NONE);
    }

    private static HttpResponse<String> call(TestGateway gateway, String token) {
        return gateway.post(PATH, CALL, "Authorization", "Bearer " + token, "Idempotency-Key",
                "k" + Integer.toHexString(token.hashCode()));
    }
}
