package dev.toolfleet.oauth.grant;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.oauth.seal.SealException;
import dev.toolfleet.wire.OAuthGrant;
import org.jspecify.annotations.Nullable;

/// Next records of a grant. Pure, but for the random nonces of sealing.
///
/// @param secrets seals the tokens
record GrantRecords(Secrets secrets) {
    OAuthGrant granted(String grantId, @Nullable OAuthGrant before, String bundle, String app,
            String provider, String subject, List<String> requested, ServerReply.Tokens tokens, Instant now) {
        String refresh = tokens.refreshToken();
        // RFC 6749 6: without a new refresh token the old one stays.
        if (refresh == null && before != null && before.revokedAt() == null && before.secret() != null)
            refresh = oldRefreshToken(before);
        Long seconds = tokens.expiresIn();
        return new OAuthGrant(grantId, bundle, app, provider, GrantIds.subjectHash(subject),
                tokens.scopes() == null ? requested : tokens.scopes(),
                seconds == null ? null : now.plusSeconds(seconds),
                refresh != null, before == null ? 1 : before.version() + 1, null, null, now,
                secrets.seal(grantId, new Secrets.OfGrant(subject, tokens.accessToken(), tokens.tokenType(), refresh)));
    }

    static OAuthGrant revoked(OAuthGrant grant, Instant now, @Nullable String why) {
        return new OAuthGrant(grant.grantId(), grant.bundle(), grant.app(), grant.provider(), grant.subjectHash(),
                grant.scopes(), grant.expiresAt(), false, grant.version() + 1, why, now, now, null);
    }

    /// Returns the refresh token; null when there is none, or this process cannot open it.
    private @Nullable String oldRefreshToken(OAuthGrant grant) {
        try {
            return refreshToken(grant);
        } catch (SealException | IllegalStateException e) {
            return null;
        }
    }

    @Nullable
    String refreshToken(OAuthGrant grant) {
        return grant.secret() == null ? null : secrets.grant(grant.grantId(), grant.secret()).refreshToken();
    }
}
