package dev.toolfleet.tool;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Answer of a [TokenSource].
public sealed interface TokenAnswer {

    /// Token for this call.
    ///
    /// @param accessToken the token; it belongs into the request alone, never into an output, an error or a log
    /// @param tokenType the type, such as `Bearer`
    /// @param expiresAt the end of its validity; null when the server named none
    /// @param scopes the scopes of the grant
    record Ready(String accessToken, String tokenType, @Nullable Instant expiresAt, List<String> scopes)
            implements
                TokenAnswer {
        /// Copies the scopes.
        public Ready {
            requireNonNull(accessToken, "accessToken");
            requireNonNull(tokenType, "tokenType");
            scopes = List.copyOf(scopes);
        }

        /// Returns the value of the header `Authorization`.
        public String header() {
            return (tokenType.equalsIgnoreCase("bearer") ? "Bearer" : tokenType) + " " + accessToken;
        }

        /// Shows no token.
        @Override
        public String toString() {
            return "Ready[" + tokenType + ", expiresAt=" + expiresAt + ", scopes=" + scopes + "]";
        }
    }

    /// Notice that the person has to authorize first.
    ///
    /// @param authSessionId the authorization under way
    /// @param authorizationUrl the address that the person opens
    /// @param userCode the code that the person enters there; null in the browser flow
    /// @param expiresAt the end of the authorization
    /// @param message one sentence for the person
    record Required(String authSessionId, String authorizationUrl, @Nullable String userCode, Instant expiresAt,
            String message) implements TokenAnswer {
        /// Checks that the person can act on it.
        public Required {
            requireNonNull(authSessionId, "authSessionId");
            requireNonNull(authorizationUrl, "authorizationUrl");
            requireNonNull(expiresAt, "expiresAt");
            requireNonNull(message, "message");
        }

        /// Returns the output with which a handler ends such a call: `{status: authorization_required, message,
        /// authorizationUrl, …}`.
        public ObjectNode output() {
            ObjectNode output = JsonNodeFactory.instance.objectNode().put("status", "authorization_required")
                    .put("message", message).put("authorizationUrl", authorizationUrl);
            if (userCode != null)
                output.put("userCode", userCode);
            return output.put("authSessionId", authSessionId).put("expiresAt", expiresAt.toString());
        }
    }

    /// Refusal or failure.
    ///
    /// @param code `oauthAppNotFound`, `subjectUnavailable`, `scopeNotAllowed`, `refreshFailed` or `unavailable`
    /// @param message one sentence for a person; without secrets
    record Failed(String code, String message) implements TokenAnswer {
        /// Checks that both are present.
        public Failed {
            requireNonNull(code, "code");
            requireNonNull(message, "message");
        }
    }
}
