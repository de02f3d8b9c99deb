package dev.toolfleet.worker.tools.messaging;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/// The service did nothing, and named a time to wait.
public final class RateLimited extends Exception {
    private static final int TOO_MANY_REQUESTS = 429;
    /// Seconds to wait if the service names no time.
    private static final long UNSAID = 1;

    private final Duration retryAfter;

    /// Creates a refusal that ends in `seconds` seconds.
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

    /// True if a status means that the service limits the rate.
    public static boolean is(int status) {
        return status == TOO_MANY_REQUESTS;
    }

    Duration retryAfter() {
        return retryAfter;
    }
}
