package dev.toolfleet.oauth.grant;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;

import dev.toolfleet.oauth.seal.SealException;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthSession;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Next records of a grant. Pure, but for the random nonces of sealing.
///
/// @param secrets seals the tokens
record GrantRecords(Secrets secrets) {
    /// Returns the grant of a session's person. Another account may have authorized than before, so that the old refresh
    /// token stays only for the same person, and only if it gives all of the scopes.
    OAuthGrant authorized(OAuthSession session, String subject, @Nullable OAuthGrant before,
            ServerReply.Tokens tokens, Instant now) {
        List<String> scopes = tokens.scopes() == null ? session.scopes() : tokens.scopes();
        String refresh = tokens.refreshToken();
        if (refresh == null && before != null && new HashSet<>(before.scopes()).containsAll(scopes)) {
            Secrets.OfGrant old = old(before);
            if (old != null && old.person() != null && old.person().equals(tokens.person()))
                refresh = old.refreshToken();
        }
        return granted(session.grantId(), session.bundle(), session.app(), session.provider(), scopes,
                before == null ? 1 : before.version() + 1, tokens, now, new Secrets.OfGrant(subject,
                        tokens.accessToken(), tokens.tokenType(), refresh, tokens.person()));
    }

    /// Returns the grant with new tokens. RFC 6749 6: without a new refresh token the old one stays.
    ///
    /// @throws SealException when this process cannot open the old ones
    OAuthGrant refreshed(OAuthGrant before, ServerReply.Tokens tokens, Instant now) {
        Secrets.OfGrant old = secrets.grant(before.grantId(), requireNonNull(before.secret(), "secret"));
        return granted(before.grantId(), before.bundle(), before.app(), before.provider(),
                tokens.scopes() == null ? before.scopes() : tokens.scopes(), before.version() + 1, tokens, now,
                new Secrets.OfGrant(old.subject(), tokens.accessToken(), tokens.tokenType(),
                        tokens.refreshToken() == null ? old.refreshToken() : tokens.refreshToken(), old.person()));
    }

    private OAuthGrant granted(String grantId, String bundle, String app, String provider, List<String> scopes,
            long version, ServerReply.Tokens tokens, Instant now, Secrets.OfGrant secret) {
        Long seconds = tokens.expiresIn();
        return new OAuthGrant(grantId, bundle, app, provider, GrantIds.subjectHash(secret.subject()), scopes,
                seconds == null ? null : now.plusSeconds(seconds), secret.refreshToken() != null, version, null, null,
                now, now, secrets.seal(grantId, secret));
    }

    /// Returns the secret; null when there is none, or this process cannot open it.
    private Secrets.@Nullable OfGrant old(OAuthGrant grant) {
        try {
            return grant.secret() == null ? null : secrets.grant(grant.grantId(), grant.secret());
        } catch (SealException | IllegalStateException e) {
            return null;
        }
    }

    static OAuthGrant revoked(OAuthGrant grant, Instant now, @Nullable String why) {
        return new OAuthGrant(grant.grantId(), grant.bundle(), grant.app(), grant.provider(), grant.subjectHash(),
                grant.scopes(), grant.expiresAt(), false, grant.version() + 1, why, now, null, now, null);
    }

    /// Returns the grant after a refresh that failed.
    static OAuthGrant unrefreshed(OAuthGrant grant, Instant now, String why) {
        return new OAuthGrant(grant.grantId(), grant.bundle(), grant.app(), grant.provider(), grant.subjectHash(),
                grant.scopes(), grant.expiresAt(), true, grant.version() + 1, why, null, grant.issuedAt(), now,
                grant.secret());
    }

    /// Returns the grant under the current key, with its version. Otherwise: a refresh that was ordered before names a
    /// version that is gone, and its call takes the new key for the new token.
    ///
    /// @throws SealException when this process cannot open it
    OAuthGrant resealed(OAuthGrant grant, Instant now) {
        return new OAuthGrant(grant.grantId(), grant.bundle(), grant.app(), grant.provider(), grant.subjectHash(),
                grant.scopes(), grant.expiresAt(), grant.refreshable(), grant.version(), grant.refreshError(),
                grant.revokedAt(), grant.issuedAt(), now, secrets.seal(grant.grantId(),
                        secrets.grant(grant.grantId(), requireNonNull(grant.secret(), "secret"))));
    }

    /// Returns the token that ends the access at the server; null when this process cannot open it.
    @Nullable
    String revocable(OAuthGrant grant) {
        Secrets.OfGrant secret = old(grant);
        if (secret == null)
            return null;
        return secret.refreshToken() == null ? secret.accessToken() : secret.refreshToken();
    }

    @Nullable
    String refreshToken(OAuthGrant grant) {
        return grant.secret() == null ? null : secrets.grant(grant.grantId(), grant.secret()).refreshToken();
    }
}
