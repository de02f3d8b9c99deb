package dev.toolfleet.bundle;

import java.time.Duration;
import java.util.Optional;

/// How a call that finishes later is followed.
///
/// @param timeout how long a handle may stay open
/// @param heartbeatTimeout how long it may stay silent; empty means as long as it is open
/// @param poll how to ask the module for the outcome; empty when the tool completes by itself
public record AsyncSpec(Duration timeout, Optional<Duration> heartbeatTimeout, Optional<PollSpec> poll) {
    /// Of an export that declares none.
    public static final Duration DEFAULT_TIMEOUT = Duration.ofHours(24);

    static AsyncSpec of(ResourceJson json) {
        ResourceJson poll = json.get("poll");
        return new AsyncSpec(json.get("timeout").duration().orElse(DEFAULT_TIMEOUT),
                json.get("heartbeatTimeout").duration(),
                poll.present() ? Optional.of(PollSpec.of(poll)) : Optional.empty());
    }
}
