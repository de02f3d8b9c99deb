package dev.toolfleet.oauth.grant;

import java.util.List;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Answer of an authorization server to a request of a grant.
public sealed interface ServerReply {

    /// Tokens.
    ///
    /// @param expiresIn the seconds for which the access token is valid; null when the server named none
    /// @param refreshToken null when none came
    /// @param scopes the granted scopes; null when they are the requested ones
    /// @param person the id of the person at the server; null when it was not requested
    record Tokens(String accessToken, String tokenType, @Nullable Long expiresIn, @Nullable String refreshToken,
            @Nullable List<String> scopes, @Nullable String person) implements ServerReply {
        /// Checks that there is a token.
        public Tokens {
            requireNonNull(accessToken, "accessToken");
            requireNonNull(tokenType, "tokenType");
        }

        /// Shows no token.
        @Override
        public String toString() {
            return "Tokens[" + tokenType + ", scopes=" + scopes + "]";
        }
    }

    /// Begin of the device flow.
    ///
    /// @param address where the person enters the code
    /// @param expiresIn in seconds
    /// @param interval between two polls, in seconds
    record DeviceCode(String deviceCode, String userCode, String address, long expiresIn, long interval)
            implements
                ServerReply {
        /// Shows no device code.
        @Override
        public String toString() {
            return "DeviceCode[" + address + "]";
        }
    }

    /// The person has not entered the code yet.
    ///
    /// @param slowDown true when the polls come too often
    record NotYet(boolean slowDown) implements ServerReply {}

    /// Refusal; the same request would be refused again.
    ///
    /// @param code the error code of the protocol, such as `invalid_grant`
    /// @param description the server's words; null when it said none
    record Refused(String code, @Nullable String description) implements ServerReply {}

    /// No usable answer: the server is slow, down or broken, or the fleet is not set up for it.
    ///
    /// @param reason one clause; without secrets
    record Unavailable(String reason) implements ServerReply {}

    /// The token is revoked.
    record Revoked() implements ServerReply {}
}
