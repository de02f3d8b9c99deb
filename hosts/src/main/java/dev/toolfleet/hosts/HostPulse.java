package dev.toolfleet.hosts;

import java.time.Duration;

/// Rule for the time at which a host is pinged, and for the time at which it counts as stuck. Pure but for its memory; for one thread.
///
/// A host with calls is pinged once it has been silent for [#QUIET], an idle one every [#IDLE]. One that does not
/// answer a ping within [#PATIENCE] is stuck: its handlers never let its event loop turn.
final class HostPulse {
    /// The silence after which a host with calls is pinged.
    static final Duration QUIET = Duration.ofSeconds(1);
    /// The time between pings of an idle host.
    static final Duration IDLE = Duration.ofSeconds(10);
    /// The longest wait for the answer to a ping.
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private long pinged;
    private boolean waits;

    /// @param now nanoseconds that only grow
    HostPulse(long now) {
        this.pinged = now;
    }

    /// True if a ping is due; it counts as sent then.
    ///
    /// @param lastHeard the time of the host's last message
    /// @param calls the number of calls at work
    boolean isDue(long now, long lastHeard, int calls) {
        boolean due = !waits && (now - pinged >= IDLE.toNanos()
                || (calls > 0 && now - lastHeard >= QUIET.toNanos() && now - pinged >= QUIET.toNanos()));
        if (due) {
            pinged = now;
            waits = true;
        }
        return due;
    }

    /// Notes the answer to the ping.
    void answered() {
        waits = false;
    }

    /// True if the host is stuck.
    boolean isStuck(long now) {
        return waits && now - pinged >= PATIENCE.toNanos();
    }
}
