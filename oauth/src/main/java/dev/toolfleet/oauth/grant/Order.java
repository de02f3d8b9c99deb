package dev.toolfleet.oauth.grant;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Order to the owner of a grant; the sealed content of an [dev.toolfleet.wire.OAuthOrder].
///
/// Random values come with the order. So the owner decides the same when it reads an order again.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({@JsonSubTypes.Type(value = Order.Authorize.class, name = "authorize"),
        @JsonSubTypes.Type(value = Order.Callback.class, name = "callback"),
        @JsonSubTypes.Type(value = Order.Refresh.class, name = "refresh"),
        @JsonSubTypes.Type(value = Order.Revoke.class, name = "revoke"),
        @JsonSubTypes.Type(value = Order.Reseal.class, name = "reseal")})
public sealed interface Order {

    /// Begins an authorization, or joins one that is under way.
    ///
    /// @param sessionId the id of a new one
    /// @param bundle the bundle of the OAuthApp
    /// @param app the OAuthApp
    /// @param subject the person, or all calls of a global app
    /// @param scopes the scopes that the calls need
    /// @param codeVerifier of PKCE (RFC 7636), for a new one
    /// @param nonce of the state, for a new one
    /// @param handle the pending call that the grant resumes; null for none
    /// @param instanceKey the conversation that learns of the grant
    /// @param agentName its agent; null when the call named none
    record Authorize(String sessionId, String bundle, String app, String subject, List<String> scopes,
            String codeVerifier, String nonce, @Nullable String handle, String instanceKey,
            @Nullable String agentName) implements Order {
        /// Checks that an authorization can begin.
        public Authorize {
            requireNonNull(sessionId, "sessionId");
            requireNonNull(bundle, "bundle");
            requireNonNull(app, "app");
            requireNonNull(subject, "subject");
            requireNonNull(codeVerifier, "codeVerifier");
            requireNonNull(nonce, "nonce");
            requireNonNull(instanceKey, "instanceKey");
            scopes = List.copyOf(scopes);
        }

        /// Shows no secret.
        @Override
        public String toString() {
            return "Authorize[" + sessionId + "]";
        }
    }

    /// Takes a browser that came back.
    ///
    /// @param sessionId the authorization
    /// @param callbackId unique; the session names the one that it took
    /// @param path the path at the gateway; null from a gateway that does not name it
    /// @param code the authorization code; null with an error
    /// @param error the server's error code; null with a code
    /// @param errorDescription the server's words; null when it said none
    /// @param issuer the server's `iss`; null when it named none
    record Callback(String sessionId, String callbackId, @Nullable String path, @Nullable String code,
            @Nullable String error, @Nullable String errorDescription, @Nullable String issuer) implements Order {
        /// Checks that it names an authorization.
        public Callback {
            requireNonNull(sessionId, "sessionId");
            requireNonNull(callbackId, "callbackId");
        }

        /// Shows no code.
        @Override
        public String toString() {
            return "Callback[" + sessionId + "]";
        }
    }

    /// Refreshes the access token.
    ///
    /// @param seenVersion the grant that was too old; a newer one is left as it is
    record Refresh(long seenVersion) implements Order {}

    /// Revokes the grant, also at the server if it has an address for that.
    record Revoke() implements Order {}

    /// Seals the grant with the current key.
    record Reseal() implements Order {}
}
