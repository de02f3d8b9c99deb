package dev.toolfleet.wire;

import java.time.Instant;

import static java.util.Objects.requireNonNull;

/// Right of one run to write a session's turn, in a [SessionState].
///
/// @param holder the run
/// @param token greater than the tokens of all leases before; the run's events carry it
/// @param until the end of the lease
public record SessionLease(String holder, long token, Instant until) {
    /// Checks that holder and end are present.
    public SessionLease {
        requireNonNull(holder, "holder");
        requireNonNull(until, "until");
    }
}
