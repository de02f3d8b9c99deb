package dev.toolfleet.oauth.grant;

import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthSession;

/// Effect of a step of a grant, to be written in the transaction of that step.
public sealed interface GrantEffect {
    /// Publishes the grant.
    record Publish(OAuthGrant grant) implements GrantEffect {}

    /// Publishes an authorization.
    record Show(OAuthSession session) implements GrantEffect {}

    /// Removes an authorization.
    record Forget(String sessionId) implements GrantEffect {}

    /// Informs an agent instance.
    record Tell(AgentEvent event) implements GrantEffect {}

    /// Resumes or ends a pending call.
    record Decide(Decision decision) implements GrantEffect {}
}
