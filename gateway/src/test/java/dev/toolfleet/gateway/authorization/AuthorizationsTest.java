package dev.toolfleet.gateway.authorization;

import dev.toolfleet.client.access.Role;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AuthorizationsTest {
    // Otherwise: a gateway of a cluster with ACLs never starts.
    @Test
    void gatewayFollowsOnlyTopicsThatItsRoleMayRead() {
        assertThat(Role.GATEWAY.reads()).containsAll(Authorizations.FOLLOWED);
    }
}
