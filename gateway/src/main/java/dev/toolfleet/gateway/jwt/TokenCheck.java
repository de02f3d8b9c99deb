package dev.toolfleet.gateway.jwt;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import dev.toolfleet.gateway.jwt.TokenVerdict.Fault;

/// Check of JWTs as access tokens (RFC 9068): issuer, algorithm, key, signature and times.
///
/// **Contract.** Nothing of a token counts before its signature is verified, except for its issuer and its header, which
/// choose the key. The audience and the rights are judged by the caller.
///
/// **Threads.** Any; a check may wait some seconds for an issuer's keys.
public final class TokenCheck {
    /// The accepted difference between the issuer's clock and this one's.
    static final Duration SKEW = Duration.ofSeconds(60);
    /// ID tokens and proofs have other types, or other audiences.
    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

    private final Map<String, IssuerKeys> issuers = new HashMap<>();
    private final InstantSource clock;

    /// Makes the check.
    ///
    /// @param keySets the addresses of the issuers' keys by issuer
    /// @param nanos a clock as [System#nanoTime]
    public TokenCheck(Map<String, URI> keySets, KeyFetch fetch, InstantSource clock, LongSupplier nanos) {
        keySets.forEach((issuer, uri) -> issuers.put(issuer, new IssuerKeys(uri, fetch, nanos)));
        this.clock = clock;
    }

    /// Judges a token.
    public TokenVerdict check(String token) {
        SignedToken read = SignedToken.read(token).orElse(null);
        if (read == null)
            return new TokenVerdict.Refused(Fault.MALFORMED, "the token is neither one of a principal nor a JWT");
        Claims claims = new Claims(read.claims());
        JWSHeader header = read.jws().getHeader();
        JOSEObjectType type = header.getType();
        if (type != null && !TYPES.contains(type.getType().toLowerCase(Locale.ROOT)))
            return new TokenVerdict.Refused(Fault.TYPE, "the token is no access token: its header has another 'typ'");
        // Each verifier would have to know them. None is understood here (RFC 7515, 4.1.11).
        if (header.getCriticalParams() != null)
            return new TokenVerdict.Refused(Fault.TYPE,
                    "the token's header demands what is not understood here ('crit')");
        String issuer = claims.text("iss").orElse("");
        IssuerKeys keys = issuers.get(issuer);
        if (keys == null)
            return new TokenVerdict.Refused(Fault.ISSUER, "the token is of an issuer that no principal has");
        if (!Algorithms.accepted(header.getAlgorithm()))
            return new TokenVerdict.Refused(Fault.ALGORITHM, "the token is signed by an algorithm that is not accepted;"
                    + " RS, PS and ES with 256, 384 or 512, and Ed25519 are");
        return switch (keys.find(header)) {
            case IssuerKeys.Lookup.Found(JWK key) -> verified(read, key, issuer, claims);
            case IssuerKeys.Lookup.Absent() -> new TokenVerdict.Refused(Fault.KEY,
                    "the token is signed by a key that its issuer does not have");
            case IssuerKeys.Lookup.Later(String reason, Duration after) -> new TokenVerdict.Later(reason, after);
        };
    }

    private TokenVerdict verified(SignedToken token, JWK key, String issuer, Claims claims) {
        try {
            if (!token.jws().verify(Algorithms.verifier(key)))
                return new TokenVerdict.Refused(Fault.SIGNATURE, "the signature of the token is wrong");
        } catch (JOSEException | IllegalStateException e) {
            return new TokenVerdict.Refused(Fault.SIGNATURE, "the signature of the token cannot be checked");
        }
        Instant now = clock.instant();
        Optional<Instant> expires = claims.time("exp");
        if (expires.isEmpty())
            return new TokenVerdict.Refused(Fault.CLAIM, "the token has no claim 'exp'");
        if (!now.isBefore(expires.get().plus(SKEW)))
            return new TokenVerdict.Refused(Fault.EXPIRED, "the token has expired");
        for (String from : new String[]{"nbf", "iat"}) {
            if (claims.has(from) && claims.time(from).orElse(Instant.MAX).isAfter(now.plus(SKEW)))
                return new TokenVerdict.Refused(Fault.TOO_EARLY, "the token is not valid yet");
        }
        if (claims.text("sub").isEmpty())
            return new TokenVerdict.Refused(Fault.CLAIM, "the token has no claim 'sub'");
        if (claims.has("cnf"))
            return new TokenVerdict.Refused(Fault.CLAIM,
                    "the token is bound to a key of its client ('cnf'), which is not proven here");
        return new TokenVerdict.Valid(issuer, claims);
    }
}
