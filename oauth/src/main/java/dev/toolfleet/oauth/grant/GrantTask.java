package dev.toolfleet.oauth.grant;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.wire.SealedBox;
import org.jspecify.annotations.Nullable;

/// Request to an authorization server that a grant waits for. It is stored, so that the next owner makes it again after
/// a crash.
///
/// @param id unique within the grant
/// @param kind the request
/// @param sessionId the authorization that it serves; null for none
/// @param secret the code that it needs; null for none
/// @param attempt counts its failures
/// @param interval the pause of a poll, in seconds; 0 for none
/// @param dueAt the time from which it is made
record GrantTask(String id, ServerRequest.Kind kind, @Nullable String sessionId, @Nullable SealedBox secret,
        int attempt,
        long interval, Instant dueAt) {
    GrantTask again(Instant at) {
        return new GrantTask(id, kind, sessionId, secret, attempt + 1, interval, at);
    }

    GrantTask polling(Instant now, long seconds) {
        return new GrantTask(id, kind, sessionId, secret, 0, seconds, now.plus(Duration.ofSeconds(seconds)));
    }
}
