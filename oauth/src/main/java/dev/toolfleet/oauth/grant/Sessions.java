package dev.toolfleet.oauth.grant;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthSession;
import dev.toolfleet.wire.OAuthSession.Status;
import dev.toolfleet.wire.SealedBox;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Changes of an authorization's record. Pure.
final class Sessions {
    private Sessions() {}

    static OAuthSession joined(OAuthSession session, String orderId, SealedBox secret) {
        List<String> joined = new ArrayList<>(session.joined() == null ? List.of() : session.joined());
        joined.add(orderId);
        return new OAuthSession(session.sessionId(), session.grantId(), session.bundle(), session.app(),
                session.provider(), session.subjectHash(), session.scopes(), session.status(),
                session.authorizationUrl(), session.userCode(), session.usedBy(), session.error(),
                session.errorDescription(), joined, session.createdAt(), session.expiresAt(), secret);
    }

    static OAuthSession addressed(OAuthSession session, String url, @Nullable String userCode, Instant end) {
        return new OAuthSession(session.sessionId(), session.grantId(), session.bundle(), session.app(),
                session.provider(), session.subjectHash(), session.scopes(), session.status(), url, userCode,
                session.usedBy(), null, null, session.joined(), session.createdAt(), end, session.secret());
    }

    static OAuthSession staged(OAuthSession session, Status status, String callbackId) {
        return new OAuthSession(session.sessionId(), session.grantId(), session.bundle(), session.app(),
                session.provider(), session.subjectHash(), session.scopes(), status, session.authorizationUrl(),
                session.userCode(), callbackId, null, null, session.joined(), session.createdAt(), session.expiresAt(),
                session.secret());
    }

    static OAuthSession ended(OAuthSession session, Status status, @Nullable String error,
            @Nullable String description) {
        return new OAuthSession(session.sessionId(), session.grantId(), session.bundle(), session.app(),
                session.provider(), session.subjectHash(), session.scopes(), status, null, null, session.usedBy(),
                error, description, session.joined(), session.createdAt(), session.expiresAt(), null);
    }

    static Secrets.OfSession joining(Secrets.OfSession secret, Order.Authorize order) {
        List<String> handles = new ArrayList<>(secret.handles());
        if (order.handle() != null && !handles.contains(order.handle()))
            handles.add(order.handle());
        List<Secrets.Instance> instances = new ArrayList<>(secret.instances());
        Secrets.Instance instance = new Secrets.Instance(order.instanceKey(), order.agentName());
        if (!instances.contains(instance))
            instances.add(instance);
        return new Secrets.OfSession(secret.subject(), secret.codeVerifier(), secret.nonce(), handles, instances);
    }

    static AgentEvent event(OAuthSession session, OAuthGrant grant, String subject,
            Secrets.Instance instance, String agent, int number, Instant now) {
        ObjectNode payload = Json.MAPPER.createObjectNode().put("type", "auth.granted")
                .put("oauthAppRef", "OAuthApp/" + session.app()).put("provider", session.provider())
                .put("subject", subject);
        payload.putArray("scopesGranted").addAll(grant.scopes().stream().map(payload::stringNode).toList());
        payload.put("grantId", grant.grantId());
        return new AgentEvent("auth-" + session.sessionId() + "-" + number, AgentEvent.Type.EVENT, null,
                new AgentAddress(agent, instance.instanceKey()), "auth.granted", payload, null, null, null, null, null,
                null, null, null, now, null, null);
    }
}
