package dev.toolfleet.wire;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Authorization under way, on `oauth.session` by its id.
///
/// @param sessionId unique
/// @param grantId the grant that it will make or renew
/// @param bundle the bundle of the OAuthApp
/// @param app the OAuthApp
/// @param provider the authorization server, for people
/// @param subjectHash SHA-256 of the subject
/// @param scopes the requested scopes
/// @param status its stage
/// @param authorizationUrl the address that the person opens; absent until the device flow knows it
/// @param userCode the code that the person enters there, in the device flow
/// @param usedBy the id of the callback that it took
/// @param error the code of its failure
/// @param errorDescription one sentence for the person
/// @param joined the ids of the later orders that it took, too, the newest last; absent without one
/// @param createdAt the time of its beginning
/// @param expiresAt the time after which no callback is taken
/// @param secret the verifier, the nonce, the subject and the waiting calls; absent after its end
public record OAuthSession(String sessionId, String grantId, String bundle, String app, String provider,
        String subjectHash, List<String> scopes, Status status, @Nullable String authorizationUrl,
        @Nullable String userCode, @Nullable String usedBy, @Nullable String error,
        @Nullable String errorDescription, @Nullable List<String> joined, Instant createdAt, Instant expiresAt,
        @Nullable SealedBox secret) {
    /// Checks that the session can be found and ended.
    public OAuthSession {
        requireNonNull(sessionId, "sessionId");
        requireNonNull(grantId, "grantId");
        requireNonNull(bundle, "bundle");
        requireNonNull(app, "app");
        requireNonNull(provider, "provider");
        requireNonNull(subjectHash, "subjectHash");
        requireNonNull(status, "status");
        requireNonNull(createdAt, "createdAt");
        requireNonNull(expiresAt, "expiresAt");
        scopes = List.copyOf(requireNonNull(scopes, "scopes"));
        joined = joined == null ? null : List.copyOf(joined);
    }

    /// Stage of an authorization.
    public enum Status {
        /// The person has not authorized yet.
        @JsonProperty("pending")
        PENDING,
        /// The server's code becomes a token.
        @JsonProperty("exchanging")
        EXCHANGING,
        /// The grant is there.
        @JsonProperty("completed")
        COMPLETED,
        /// The person has declined, or a step has failed.
        @JsonProperty("failed")
        FAILED,
        /// The time has passed without an authorization.
        @JsonProperty("expired")
        EXPIRED,
        /// A stage of a later version. Every stage that this version does not know is read as this. Never written.
        @JsonEnumDefaultValue
        @JsonProperty("unknown")
        UNKNOWN
    }

    /// True if it took the order with this id, as its first one or as a later one.
    public boolean took(String orderId) {
        return sessionId.equals(orderId) || (joined != null && joined.contains(orderId));
    }

    /// True while a callback can change it.
    public boolean underWay() {
        return status == Status.PENDING || status == Status.EXCHANGING;
    }
}
