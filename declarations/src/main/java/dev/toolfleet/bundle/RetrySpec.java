package dev.toolfleet.bundle;

import java.time.Duration;
import java.util.Set;

/// Retries of a failed call before its caller gets the error.
///
/// @param maxAttempts number of starts in all
/// @param backoff the approximate wait before the second start; it doubles with each, up to [#LONGEST]
/// @param retryOn the error codes that cause a retry; empty means all of the tool's failures
public record RetrySpec(int maxAttempts, Duration backoff, Set<String> retryOn) {
    /// The default number of starts.
    public static final int DEFAULT_ATTEMPTS = 3;
    /// The most starts.
    public static final int MOST_ATTEMPTS = 100;
    /// The default of the first wait.
    public static final Duration DEFAULT_BACKOFF = Duration.ofMillis(200);
    /// The longest wait.
    public static final Duration LONGEST = Duration.ofMinutes(1);

    /// Copies the codes; checks the ranges.
    public RetrySpec {
        retryOn = Set.copyOf(retryOn);
        if (maxAttempts < 1 || maxAttempts > MOST_ATTEMPTS || !backoff.isPositive() || backoff.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("retry: maxAttempts must be from 1 to " + MOST_ATTEMPTS
                    + ", backoff positive and at most " + LONGEST.toSeconds() + " s; they are " + maxAttempts + " and "
                    + backoff);
        }
    }

    static RetrySpec of(ResourceJson json) {
        json.object();
        try {
            return new RetrySpec(json.get("maxAttempts").positive(DEFAULT_ATTEMPTS),
                    json.get("backoff").duration().orElse(DEFAULT_BACKOFF),
                    Set.copyOf(json.get("retryOn").list(ResourceJson::text)));
        } catch (IllegalArgumentException e) {
            throw json.wrong("a way to retry (" + e.getMessage() + ")");
        }
    }

    /// Returns the wait before the next start: between a half and the whole of the doubled wait.
    ///
    /// @param failed number of starts so far, from 1
    /// @param chance from 0 to 1, without 1
    public Duration before(int failed, double chance) {
        double millis = Math.min((double) LONGEST.toMillis(), backoff.toMillis() * Math.pow(2, failed - 1.0));
        return Duration.ofMillis(Math.max(1, (long) (millis * (0.5 + chance / 2))));
    }
}
