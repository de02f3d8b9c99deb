package dev.toolfleet.tool;

import java.time.Duration;

/// Source of access tokens for the calls of one Tool.
///
/// **Contract.** App and subject are those of the call, and its arguments cannot choose others.
///
/// **Threads.** Thread-safe. A call may wait some seconds for the authorization server; run it on the handler's thread.
public interface TokenSource {
    /// The least time that a token is valid, unless the caller requests another.
    Duration MIN_TTL = Duration.ofMinutes(5);

    /// Returns a token for a call.
    ///
    /// @param context the context that the handler got; another one has no token
    /// @param minTtl the time that the token must be valid for, at least; one with exactly this time left is refreshed
    /// @param scopes the scopes that it must have, of the export's; none for all of the export's
    TokenAnswer get(ToolContext context, Duration minTtl, String... scopes);

    /// Returns a token that is valid for [#MIN_TTL], at least.
    default TokenAnswer get(ToolContext context, String... scopes) {
        return get(context, MIN_TTL, scopes);
    }
}
