package dev.toolfleet.gateway.access;

import java.util.Locale;

import dev.toolfleet.gateway.jwt.TokenVerdict;
import dev.toolfleet.gateway.limits.Limit;

/// Reason for which the gateway rejected a request before its route, or by its principal's rights; a tag of metrics.
///
/// @param tag lower case, with `-` between words
public record Rejection(String tag) {
    /// The request has no token.
    static final Rejection NO_TOKEN = new Rejection("no-token");
    /// The token is one of no principal.
    static final Rejection UNKNOWN_TOKEN = new Rejection("unknown-token");
    /// The issuer's keys are not known now.
    static final Rejection KEYS_UNAVAILABLE = new Rejection("keys-unavailable");
    /// The page that sent it is of another origin.
    static final Rejection ORIGIN = new Rejection("origin");
    /// It names another host.
    static final Rejection HOST = new Rejection("host");
    /// The principal lacks a scope.
    static final Rejection SCOPE = new Rejection("scope");

    static Rejection of(TokenVerdict.Fault fault) {
        return new Rejection("jwt-" + fault.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    static Rejection of(Limit limit) {
        return new Rejection("limit-" + limit.tag());
    }
}
