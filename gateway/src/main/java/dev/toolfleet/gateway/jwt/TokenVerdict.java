package dev.toolfleet.gateway.jwt;

import java.time.Duration;

/// Verdict about a token.
public sealed interface TokenVerdict {
    /// The token is its issuer's, and valid now.
    record Valid(String issuer, Claims claims) implements TokenVerdict {}

    /// The token is not accepted.
    ///
    /// @param detail a clause without parts of the token
    record Refused(Fault fault, String detail) implements TokenVerdict {}

    /// The token cannot be judged now.
    record Later(String reason, Duration after) implements TokenVerdict {}

    /// Kinds of faults of tokens.
    enum Fault {
        /// It is no JWT.
        MALFORMED,
        /// It is another kind of JWT.
        TYPE,
        /// No setting has its issuer.
        ISSUER,
        /// It is signed in a way that is not accepted.
        ALGORITHM,
        /// Its issuer has no such key.
        KEY,
        /// Its signature is wrong.
        SIGNATURE,
        /// Its time is over.
        EXPIRED,
        /// It is of the future.
        TOO_EARLY,
        /// A claim is missing or wrong.
        CLAIM,
        /// It is for another service.
        AUDIENCE
    }
}
