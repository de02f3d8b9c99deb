package dev.toolfleet.worker.tools.messaging;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/// The service did nothing, and says when to ask again.
public final class RateLimited extends Exception {
    private static final int TOO_MANY_REQUESTS = 429;
    /// Where it does not say.
    private static final long UNSAID = 1;

    private final Duration retryAfter;

    /// A refusal that ends in so many seconds.
    public RateLimited(long seconds) {
        this.retryAfter = Duration.ofSeconds(Math.max(1, seconds));
    }

    /// The refusal that an answer with these headers is.
    ///
    /// @param retryAfter the header of that name: seconds; null if there is none
    public static RateLimited until(@Nullable String retryAfter) {
        try {
            return new RateLimited(retryAfter == null ? UNSAID : Long.parseLong(retryAfter.strip()));
        } catch (NumberFormatException e) {
            return new RateLimited(UNSAID);
        }
    }

    /// Whether a status says so.
    public static boolean is(int status) {
        return status == TOO_MANY_REQUESTS;
    }

    Duration retryAfter() {
        return retryAfter;
    }
}
