package dev.toolfleet.wire;

import java.time.Instant;

import static java.util.Objects.requireNonNull;

/// A worker is about to start a handler whose effects must not happen twice, on `tool.journal`.
///
/// @param identity the call's identity
/// @param fingerprint of name and arguments
/// @param worker who starts it
/// @param epoch of the worker's assignment
public record CallIntent(String identity, String fingerprint, String toolName, int attempt, String worker, long epoch,
        Instant startedAt) {
    /// Checks that the intent names call, worker and time.
    public CallIntent {
        requireNonNull(identity, "identity");
        requireNonNull(fingerprint, "fingerprint");
        requireNonNull(toolName, "toolName");
        requireNonNull(worker, "worker");
        requireNonNull(startedAt, "startedAt");
    }
}
