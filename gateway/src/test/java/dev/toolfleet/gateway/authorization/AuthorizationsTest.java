package dev.toolfleet.gateway.authorization;

import java.util.Base64;

import dev.toolfleet.client.access.Role;
import dev.toolfleet.oauth.grant.Apps;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class AuthorizationsTest {
    // Otherwise: a gateway of a cluster with ACLs never starts.
    @Test
    void gatewayFollowsOnlyTopicsThatItsRoleMayRead() {
        assertThat(Role.GATEWAY.reads()).containsAll(Authorizations.FOLLOWED);
    }

    // Otherwise: requests with states that the fleet has not signed use up the limit of persons who come back.
    @Test
    void eachAuthorizationHasItsOwnLimit() {
        String payload = Base64.getUrlEncoder().withoutPadding()
                .encodeToString("{\"sessionId\":\"as-1\",\"nonce\":\"00\",\"timestamp\":1}".getBytes(UTF_8));
        String signed = payload + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(Apps.KEYS.sign(payload));

        assertThat(Authorizations.account(Apps.KEYS, "/oauth/callback/chat", signed)).contains("browser/as-1");
        assertThat(Authorizations.account(Apps.KEYS, "/oauth/callback", payload + ".AAAA")).contains("browser");
        assertThat(Authorizations.account(Apps.KEYS, "/oauth/callback", null)).contains("browser");
        assertThat(Authorizations.account(Apps.KEYS, "/oauth/callbacks", signed)).isEmpty();
    }
}
