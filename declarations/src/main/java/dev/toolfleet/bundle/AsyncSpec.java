package dev.toolfleet.bundle;

import java.time.Duration;
import java.util.Optional;

/// Rules for following a call that finishes later.
///
/// @param timeout the longest time that a handle may stay open
/// @param heartbeatTimeout the longest silence; empty means the whole time
/// @param poll the polling of the module for the outcome; empty when the tool completes by itself
public record AsyncSpec(Duration timeout, Optional<Duration> heartbeatTimeout, Optional<PollSpec> poll) {
    /// The default for an export that declares none.
    public static final Duration DEFAULT_TIMEOUT = Duration.ofHours(24);

    static AsyncSpec of(ResourceJson json) {
        ResourceJson poll = json.get("poll");
        return new AsyncSpec(json.get("timeout").duration().orElse(DEFAULT_TIMEOUT),
                json.get("heartbeatTimeout").duration(),
                poll.present() ? Optional.of(PollSpec.of(poll)) : Optional.empty());
    }
}
